// Options of the commands for assignments and the machine.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>
#include <string>

#include "grader/cli/help_texts.hpp"
#include "grader/cli/options.hpp"
#include "grader/cli/shared_options.hpp"

namespace grader::cli {
namespace {

constexpr std::int64_t kMostSeeds = 10'000;

const std::map<std::string, Format> kSelftestFormats{{"text", Format::text},
                                                     {"json", Format::json}};

}  // namespace

void add_options(CLI::App& app, ListCommand& command) {
  const std::map<std::string, ListCommand::What> names{
      {"checks", ListCommand::What::checks}, {"misconceptions", ListCommand::What::misconceptions}};
  app.add_option("WHAT", command.what, "checks or misconceptions")
      ->required()
      ->transform(one_of(names))
      ->type_name("");
  app.add_option("--explain", command.explain,
                 "What misconception ID is, and the smallest input that shows it")
      ->type_name("ID");
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kListExamples);
}

void add_options(CLI::App& app, ValidateCommand& command) {
  app.add_option("ASSIGNMENT", command.assignment, "The folder")->type_name("")->required();
  add_console(app, command.console);
  app.footer(kValidateExamples);
}

void add_options(CLI::App& app, LearnCommand& command) {
  app.add_option("SCORECARDS", command.scorecards,
                 "Scorecards that grade wrote, or folders that hold some")
      ->type_name("")
      ->required();
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kLearnExamples);
}

void add_options(CLI::App& app, DoctorCommand& command) {
  add_isolation(app, command.isolation);
  add_console(app, command.console);
  app.footer(kDoctorExamples);
}

void add_options(CLI::App& app, SelftestCommand& command) {
  add_seed_and_cases(app, command.seed, command.cases);
  app.add_option("--seeds", command.seeds,
                 "Grade the correct styles with N seeds, from --seed on (default: 1)")
      ->type_name("N")
      ->check(between(std::int64_t{1}, kMostSeeds));
  app.add_option("--filter", command.filter, "Only this model or stage")->type_name("ID");
  app.add_option("--format", command.format, "text or json")
      ->transform(one_of(kSelftestFormats))
      ->type_name("FORMAT");
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kSelftestExamples);
}

}  // namespace grader::cli
