#include <utility>

#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/examples/examples.hpp"
#include "grader/report/number_text.hpp"

namespace grader::cli {

int run(const ValidateCommand& command, Console& console) {
  const LoadedAssignment assignment = load_assignment(command.assignment);
  const Policy& policy = assignment.policy;
  // Everything is read before anything is called valid.
  std::string tried;
  std::vector<std::string> left_out;
  if (!assignment.examples.empty()) {
    const std::vector<Example> examples = examples_from_json(
        assignment.examples, policy.id, (assignment.directory / kExamplesFile).string());
    UsableExamples usable = usable_examples(examples, *assignment.judge);
    left_out = std::move(usable.left_out);
    tried = counted(examples.size() - left_out.size(), "stored example") +
            " to be tried in every grading\n";
  }
  console.result(policy.id + " is valid: " + counted(policy.checks.size(), "check") + " in " +
                 counted(policy.objectives.size(), "objective") + ", " +
                 number_text(policy.max_score) + " points.\ndigest " + assignment.digest + "\n" +
                 tried);
  for (const std::string& sentence : left_out) console.note(sentence);
  return kDone;
}

}  // namespace grader::cli
