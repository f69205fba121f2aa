#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {

int run(const UngradedCommand& command, Console& console) {
  console.result(
      scorecard_to_json(ungraded(assignment_in(command.assignment), command.reason, command.hint)));
  return kDone;
}

}  // namespace grader::cli
