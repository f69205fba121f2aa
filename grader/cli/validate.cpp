#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/number_text.hpp"

namespace grader::cli {

int run(const ValidateCommand& command, Console& console) {
  const LoadedAssignment assignment = load_assignment(command.assignment);
  const Policy& policy = assignment.policy;
  console.result(policy.id + " is valid: " + counted(policy.checks.size(), "check") + " in " +
                 counted(policy.objectives.size(), "objective") + ", " +
                 number_text(policy.max_score) + " points.\ndigest " + assignment.digest + "\n");
  return kDone;
}

}  // namespace grader::cli
