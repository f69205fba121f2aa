#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/batch/class_text.hpp"
#include "grader/cli/class_report.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/render.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {

namespace {

int report_class(const ReportCommand& command, Console& console) {
  if (!command.formats.empty() && command.formats != std::vector{Format::text}) {
    throw UsageFault("The results of a class are reported as text.",
                     "Leave --format out; a student's own results are below DIR/students.");
  }
  const BatchLayout layout(command.scorecard);
  const Gradebook gradebook(layout.gradebook(), Gradebook::Access::read);
  const ClassResults results = results_of(layout, gradebook, command.assignment);
  write_class_files(layout, results, command.assignment);
  console.result(class_text(results));
  console.note("As a page: " + layout.page().string());
  return kDone;
}

}  // namespace

int run(const ReportCommand& command, Console& console) {
  std::error_code error;
  if (std::filesystem::is_directory(command.scorecard, error))
    return report_class(command, console);
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
