// Options of the commands for results on their way to other systems.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>
#include <string>

#include "grader/cli/help_texts.hpp"
#include "grader/cli/options.hpp"
#include "grader/cli/shared_options.hpp"
#include "grader/lms/export_format.hpp"

namespace grader::cli {
namespace {

void add_signed_files(CLI::App& app, std::filesystem::path& source) {
  app.add_option("SCORECARDS", source,
                 "A scorecard.json that grade wrote, or a folder that holds some")
      ->type_name("")
      ->required();
}

std::string format_names() {
  std::string text;
  for (const ExportFormat& format : export_formats()) {
    text +=
        (text.empty() ? "" : "\n") + std::string(format.name) + ": " + std::string(format.summary);
  }
  return text;
}

}  // namespace

void add_options(CLI::App& app, ExportCommand& command) {
  app.add_option("FORMAT", command.format, format_names())->type_name("")->required();
  app.add_option("RESULTS", command.source, "A scorecard.json, or the results that batch wrote")
      ->type_name("")
      ->required();
  app.add_option("--out", command.out,
                 "Where to write: a file, or a folder for more than one (default: stdout)")
      ->type_name("PATH");
  app.add_option("--worksheet", command.worksheet,
                 "The table that the platform exported, to be filled in")
      ->type_name("FILE");
  add_export_look(app, command.look);
  app.add_option("--hint-level", command.hint_level,
                 "Tell no more than this: score_only, hints or full")
      ->transform(one_of(kHintLevels))
      ->type_name("LEVEL");
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kExportExamples);
}

void add_options(CLI::App& app, PushCommand& command) {
  app.add_option("DIR", command.results, "The results that batch wrote")->type_name("")->required();
  app.add_option("--platform", command.platform,
                 "What the platform and the tool are to each other: docs/integration.md")
      ->type_name("FILE")
      ->required();
  app.add_flag("--dry-run", command.is_dry_run,
               "Ask the platform for access, show what would be sent, send nothing");
  app.add_option("--only", command.only, "Send this student's score alone; may be repeated")
      ->allow_extra_args(false)
      ->type_name("STUDENT");
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kPushExamples);
}

void add_options(CLI::App& app, KeygenCommand& command) {
  app.add_option("DIR", command.directory, "Folder for the keys")->type_name("")->required();
  add_console(app, command.console);
  app.footer(kKeygenExamples);
}

void add_options(CLI::App& app, SignCommand& command) {
  add_signed_files(app, command.source);
  app.add_option("--key", command.key, "The secret key, signing-key.pem")
      ->type_name("FILE")
      ->required();
  app.add_flag("--again", command.signs_again, "Sign also what has a signature that does not hold");
  add_console(app, command.console);
  app.footer(kSignExamples);
}

void add_options(CLI::App& app, VerifyCommand& command) {
  add_signed_files(app, command.source);
  app.add_option("--key", command.key, "The public key, public-key.pem")
      ->type_name("FILE")
      ->required();
  add_console(app, command.console);
  app.footer(kVerifyExamples);
}

}  // namespace grader::cli
