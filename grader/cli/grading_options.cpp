// Options of the commands for one submission and what became of it.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>
#include <string>

#include "grader/cli/help_texts.hpp"
#include "grader/cli/options.hpp"
#include "grader/cli/shared_options.hpp"

namespace grader::cli {

void add_options(CLI::App& app, GradeCommand& command) {
  app.add_option("SUBMISSION", command.submission,
                 "A file, or a folder or archive (zip, tar, 7z) with attention.cpp")
      ->type_name("")
      ->required();
  app.add_option("--out", command.out, "Folder for the results (default: ./<submission>.grade)")
      ->type_name("DIR");
  add_seed_and_cases(app, command.options.seed, command.options.cases);
  add_formats(app, command.formats);
  add_hint_level(app, command.options.hint_level);
  app.add_option("--export", command.exports,
                 "Keep the result in the form of another system in FILE, from the beginning on: "
                 "without a score until grading has ended; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FORMAT=FILE");
  add_export_look(app, command.export_look);
  add_isolation(app, command.isolation);
  add_accept_unsafe(app, command.isolation);
  app.add_flag("--reuse", command.options.reuses_results,
               "Show the kept result if the same files were graded with --reuse in the same way "
               "before");
  app.add_flag("--strict", command.is_strict, "Exit code 4 when refused or not compiled");
  app.add_option("--fail-under", command.fail_under, "Exit code 5 below P percent of the points")
      ->type_name("P")
      ->check(between(0.0, 100.0));
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kGradeExamples);
}

// What `batch` starts for each submission; not for people.
void add_options(CLI::App& app, GradeTaskCommand& command) {
  app.group("");
  app.add_option("REQUEST", command.request, "What is to be graded")->type_name("")->required();
  app.add_option("--core", command.core, "Processor to stay on")->type_name("N");
}

// What packages for other systems show until there is a result; not for people.
void add_options(CLI::App& app, UngradedCommand& command) {
  app.group("");
  app.add_option("REASON", command.reason, "Why nothing was graded")->type_name("")->required();
  app.add_option("--hint", command.hint, "What to do about it")->type_name("TEXT")->required();
  add_assignment(app, command.assignment);
}

void add_options(CLI::App& app, ReplayCommand& command) {
  app.add_option("SCORECARD", command.scorecard, "The scorecard.json that grade wrote")
      ->type_name("")
      ->required();
  app.add_option("CHECK", command.check, "Id of a check that did not pass")
      ->type_name("")
      ->required();
  app.add_option("SUBMISSION", command.submission,
                 "The graded submission (default: the copy beside the scorecard)")
      ->type_name("");
  app.add_flag("--changed", command.is_changed, "SUBMISSION has been changed since");
  add_isolation(app, command.isolation);
  add_accept_unsafe(app, command.isolation);
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kReplayExamples);
}

void add_options(CLI::App& app, ReportCommand& command) {
  app.add_option("SCORECARD", command.scorecard,
                 "The scorecard.json that grade wrote, or the folder that batch wrote")
      ->type_name("")
      ->required();
  add_formats(app, command.formats);
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kReportExamples);
}

}  // namespace grader::cli
