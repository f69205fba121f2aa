#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/render.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {

int run(const ReportCommand& command, Console& console) {
  const Scorecard scorecard = read_scorecard(command.scorecard);
  std::vector<Format> formats = command.formats;
  if (formats.empty()) formats.push_back(Format::text);
  TextOptions options;
  options.color = console.result_is_colored();
  options.commands = {command.program, command.scorecard.string(), command.assignment.string()};
  for (const Format format : formats) console.result(rendered(scorecard, format, options));
  return kDone;
}

}  // namespace grader::cli
