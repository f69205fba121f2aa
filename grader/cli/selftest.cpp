#include "grader/selftest/selftest.hpp"

#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"

namespace grader::cli {

int run(const SelftestCommand& command, Console& console) {
  const LoadedAssignment assignment = assignment_in(command.assignment);
  SelfTestOptions options;
  options.seed = command.seed.value_or(assignment.policy.seed);
  options.cases = command.cases.value_or(assignment.policy.cases);
  options.seeds = command.seeds;
  options.filter = command.filter;
  const KillMatrix matrix =
      run_selftest(*assignment.judge, assignment.policy, options,
                   [&](std::size_t index, std::size_t count, const std::string& id) {
                     console.progress("model " + id + " (" + std::to_string(index + 1) + " of " +
                                      std::to_string(count) + ")");
                   });
  console.result(command.format == Format::json ? selftest_json(matrix) : selftest_text(matrix));
  return matrix.holds() ? kDone : kInternal;
}

}  // namespace grader::cli
