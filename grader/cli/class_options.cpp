// Options of the commands for a class.
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

constexpr std::int64_t kMostJobs = 1'000;
constexpr double kHighestScore = 1e6;

const std::map<std::string, WhichAttempts> kAttempts{
    {"last", WhichAttempts::last}, {"best", WhichAttempts::best}, {"all", WhichAttempts::all}};

void add_executor(CLI::App& app, ExecutorChoice& executor) {
  const std::map<std::string, bool> names{{"local", false}, {"slurm", true}};
  app.add_option("--executor", executor.is_slurm, "Where to grade: local (default) or slurm")
      ->transform(one_of(names))
      ->type_name("WHERE");
  app.add_option("--partition", executor.partition, "Partition of Slurm")->type_name("NAME");
  app.add_option("--account", executor.account, "Account of Slurm")->type_name("NAME");
  app.add_option("--time", executor.time, "Slurm's limit for one submission, as sbatch takes it")
      ->type_name("TIME");
  app.callback([&executor] {
    const bool is_for_slurm =
        !executor.partition.empty() || !executor.account.empty() || !executor.time.empty();
    if (is_for_slurm && !executor.is_slurm) {
      throw CLI::RequiredError("--executor slurm");
    }
  });
}

}  // namespace

void add_options(CLI::App& app, BatchCommand& command) {
  app.add_option("SOURCE", command.sources,
                 "Downloads of an LMS, folders or archives of submissions, clones")
      ->type_name("")
      ->required();
  app.add_option("--out", command.out, "Folder for the results of the class")
      ->type_name("DIR")
      ->required();
  app.add_option("--roster", command.roster, "The class list, CSV (default: the one given before)")
      ->type_name("FILE");
  app.add_option("--attempts", command.which, "Which attempts count: last, best or all")
      ->transform(one_of(kAttempts))
      ->type_name("WHICH");
  app.add_option("--jobs", command.jobs, "Submissions at a time (default: one a processor)")
      ->type_name("N")
      ->check(between(std::int64_t{1}, kMostJobs));
  app.add_flag("--force", command.grades_again, "Grade again what is finished; keeps both results");
  app.add_option("--only", command.only, "Grade this student alone, again")->type_name("STUDENT");
  app.add_option("--check", command.check,
                 "Grade this check alone, again; all other results of a submission stay")
      ->type_name("CHECK");
  add_executor(app, command.executor);
  add_seed_and_cases(app, command.options.seed, command.options.cases);
  add_hint_level(app, command.options.hint_level);
  add_isolation(app, command.isolation);
  add_accept_unsafe(app, command.isolation);
  add_assignment(app, command.assignment);
  add_console(app, command.console);
  app.footer(kBatchExamples);
}

void add_options(CLI::App& app, OverrideCommand& command) {
  app.add_option("DIR", command.results, "The results that batch wrote")->type_name("")->required();
  app.add_option("STUDENT", command.student, "Id of the student")->type_name("")->required();
  CLI::Option* score = app.add_option("--score", command.score, "The score that counts")
                           ->type_name("P")
                           ->check(between(0.0, kHighestScore));
  CLI::Option* withdraw =
      app.add_flag("--withdraw", command.is_withdrawn, "The computed score counts again")
          ->excludes(score);
  score->excludes(withdraw);
  app.add_option("--reason", command.reason, "Why; kept with it")->type_name("TEXT")->required();
  add_console(app, command.console);
  app.footer(kOverrideExamples);
  app.callback([score, withdraw] {
    if (score->count() + withdraw->count() == 0) {
      throw CLI::RequiredError("--score or --withdraw");
    }
  });
}

void add_options(CLI::App& app, CompareCommand& command) {
  app.add_option("OLD", command.before, "Results of a batch, or a scorecard.json")
      ->type_name("")
      ->required();
  app.add_option("NEW", command.after, "The same, later (default: the newest runs in OLD)")
      ->type_name("");
  add_console(app, command.console);
  app.footer(kCompareExamples);
}

}  // namespace grader::cli
