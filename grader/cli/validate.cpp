#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/examples/examples.hpp"
#include "grader/report/number_text.hpp"

namespace grader::cli {

int run(const ValidateCommand& command, Console& console) {
  const LoadedAssignment assignment = load_assignment(command.assignment);
  const Policy& policy = assignment.policy;
  console.result(policy.id + " is valid: " + counted(policy.checks.size(), "check") + " in " +
                 counted(policy.objectives.size(), "objective") + ", " +
                 number_text(policy.max_score) + " points.\ndigest " + assignment.digest + "\n");
  if (!assignment.examples.empty()) {
    const std::vector<Example> examples = examples_from_json(
        assignment.examples, policy.id, (assignment.directory / kExamplesFile).string());
    const UsableExamples usable = usable_examples(examples, *assignment.judge);
    console.result(counted(examples.size() - usable.left_out.size(), "stored example") +
                   " to be tried in every grading\n");
    for (const std::string& sentence : usable.left_out) console.note(sentence);
  }
  return kDone;
}

}  // namespace grader::cli
