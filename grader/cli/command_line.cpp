#include "grader/cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/cli/help_texts.hpp"
#include "grader/lms/export_format.hpp"

namespace grader::cli {
namespace {

constexpr std::int64_t kMostCases = 1'000'000;
constexpr std::int64_t kMostJobs = 1'000;
constexpr double kHighestScore = 1e6;
constexpr std::int64_t kMostSeeds = 10'000;

const std::map<std::string, Format> kFormats{{"text", Format::text},
                                             {"json", Format::json},
                                             {"html", Format::html},
                                             {"markdown", Format::markdown},
                                             {"junit", Format::junit}};
const std::map<std::string, Format> kSelftestFormats{{"text", Format::text},
                                                     {"json", Format::json}};
const std::map<std::string, HintLevel> kHintLevels{
    {"score_only", HintLevel::score_only}, {"hints", HintLevel::hints}, {"full", HintLevel::full}};

const std::map<std::string, WhichAttempts> kAttempts{
    {"last", WhichAttempts::last}, {"best", WhichAttempts::best}, {"all", WhichAttempts::all}};

const std::map<std::string, Level> kLevels{{"L4", Level::l4}, {"L3", Level::l3},
                                           {"L2", Level::l2}, {"L1", Level::l1},
                                           {"L0", Level::l0}, {"none", Level::none}};

// The whole word as a number within the limits, or what is wrong. CLI11 itself would take -1 for
// 2^64 - 1 and round what is too large.
template <class Number>
CLI::Validator between(Number least, Number most) {
  const auto complaint = [least, most](const std::string& word) -> std::string {
    Number number{};
    const auto end = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = end.ec == std::errc() && end.ptr == word.data() + word.size();
    if (is_number && number >= least && number <= most) return "";
    std::ostringstream limits;
    limits << least << " to " << most;
    return word + " is not a number from " + limits.str();
  };
  return {complaint, ""};
}

// What starts the program again from the current folder: a name that the PATH finds, else the
// shorter one of the path as it was typed and the path from here.
std::string program_as_typed(const std::string& started) {
  if (started.find('/') == std::string::npos) return started;
  std::error_code error;
  const std::string from_here = std::filesystem::proximate(started, error).string();
  if (error || from_here.find('/') == std::string::npos) return started;
  return from_here.size() < started.size() ? from_here : started;
}

class Parser {
 public:
  Parser() {
    app_.require_subcommand(1);
    app_.get_formatter()->label("REQUIRED", "");
    app_.get_formatter()->column_width(24);
    app_.set_version_flag("--version", "attention-grader " + grader_version());
    app_.footer("`attention-grader COMMAND --help` shows options and examples.");
    add_grade();
    add_batch();
    add_grade_task();
    add_ungraded();
    add_override();
    add_compare();
    add_replay();
    add_report();
    add_export();
    add_push();
    add_keygen();
    add_sign();
    add_verify();
    add_list();
    add_validate();
    add_learn();
    add_doctor();
    add_selftest();
  }

  Parsed parse(int count, const char* const* arguments) {
    Parsed parsed;
    if (count > 0) {
      grade_.program = batch_.program = report_.program = export_.program =
          program_as_typed(arguments[0]);
    }
    try {
      app_.parse(count, arguments);
    } catch (const CLI::CallForHelp&) {
      parsed.help = help();
      return parsed;
    } catch (const CLI::CallForAllHelp&) {
      parsed.help = app_.help("", CLI::AppFormatMode::All);
      return parsed;
    } catch (const CLI::CallForVersion&) {
      parsed.help = "attention-grader " + grader_version() + "\n";
      return parsed;
    } catch (const CLI::ParseError& error) {
      refuse(count, arguments, error.what());
    }
    parsed.command = command();
    return parsed;
  }

 private:
  [[nodiscard]] std::string help() const {
    for (const CLI::App* chosen : app_.get_subcommands()) return chosen->help("attention-grader");
    return app_.help();
  }

  [[noreturn]] void refuse(int count, const char* const* arguments, std::string what) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) {
      if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    std::string hint = "`attention-grader --help` shows what there is.";
    const std::string first = count > 1 ? arguments[1] : "";
    if (count < 2) {
      what = "No command is given.";
    } else if (app_.get_subcommands().empty() && !first.starts_with("-")) {
      what = "There is no command " + first + ".";
      hint = suggestion(first, names) + hint;
    } else if (!app_.get_subcommands().empty()) {
      hint = "`attention-grader " + app_.get_subcommands().front()->get_name() +
             " --help` shows options and examples.";
    }
    if (!what.ends_with('.')) what += '.';
    throw UsageFault(what, hint);
  }

  [[nodiscard]] Command command() const {
    const CLI::App* chosen = app_.get_subcommands().front();
    if (chosen->get_name() == "grade") return grade_;
    if (chosen->get_name() == "batch") return batch_;
    if (chosen->get_name() == "grade-task") return grade_task_;
    if (chosen->get_name() == "ungraded") return ungraded_;
    if (chosen->get_name() == "override") return override_;
    if (chosen->get_name() == "compare") return compare_;
    if (chosen->get_name() == "replay") return replay_;
    if (chosen->get_name() == "report") return report_;
    if (chosen->get_name() == "export") return export_;
    if (chosen->get_name() == "push") return push_;
    if (chosen->get_name() == "keygen") return keygen_;
    if (chosen->get_name() == "sign") return sign_;
    if (chosen->get_name() == "verify") return verify_;
    if (chosen->get_name() == "list") return list_;
    if (chosen->get_name() == "validate") return validate_;
    if (chosen->get_name() == "learn") return learn_;
    if (chosen->get_name() == "doctor") return doctor_;
    return selftest_;
  }

  static void add_console(CLI::App& app, Console::Options& options) {
    app.add_flag("-q,--quiet", options.is_quiet, "Print nothing but what --format asks for");
    app.add_flag("--no-color", options.has_no_color, "No colors (as with NO_COLOR=1)");
  }

  static void add_isolation(CLI::App& app, IsolationChoice& isolation) {
    app.add_option("--isolation", isolation.highest,
                   "Isolate no more than LEVEL (L4, L3, L2, L1, L0) even if the machine offers it")
        ->transform(CLI::CheckedTransformer(kLevels).description(""))
        ->type_name("LEVEL");
  }
  static void add_accept_unsafe(CLI::App& app, IsolationChoice& isolation) {
    app.add_flag("--accept-unsafe", isolation.accepts_none,
                 "Run code of yours even where nothing isolates it; the report says so");
  }

  static void add_assignment(CLI::App& app, std::filesystem::path& assignment) {
    app.add_option("--assignment", assignment, "Folder of the assignment (default: attention)")
        ->type_name("DIR");
  }

  template <class Integer>
  static void add_seed_and_cases(CLI::App& app, std::optional<std::uint64_t>& seed,
                                 std::optional<Integer>& cases) {
    app.add_option("--seed", seed, "Seed of the random cases (default: the assignment's)")
        ->type_name("N")
        ->check(between(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()));
    app.add_option("--cases", cases, "Random cases a check (default: the assignment's)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, kMostCases));
  }

  static void add_hint_level(CLI::App& app, std::optional<HintLevel>& level) {
    app.add_option("--hint-level", level,
                   "What the results tell: score_only, hints or full (default: the assignment's)")
        ->transform(CLI::CheckedTransformer(kHintLevels).description(""))
        ->type_name("LEVEL");
  }

  void add_grade() {
    CLI::App& app = *app_.add_subcommand("grade", "Grade one submission");
    app.add_option("SUBMISSION", grade_.submission,
                   "A file, or a folder or archive (zip, tar, 7z) with attention.cpp")
        ->type_name("")
        ->required();
    app.add_option("--out", grade_.out, "Folder for the results (default: ./<submission>.grade)")
        ->type_name("DIR");
    add_seed_and_cases(app, grade_.options.seed, grade_.options.cases);
    add_formats(app, grade_.formats);
    add_hint_level(app, grade_.options.hint_level);
    add_isolation(app, grade_.isolation);
    add_accept_unsafe(app, grade_.isolation);
    app.add_flag("--reuse", grade_.options.reuses_results,
                 "Show the kept result if the same files were graded with --reuse in the same way "
                 "before");
    app.add_flag("--strict", grade_.is_strict, "Exit code 4 when refused or not compiled");
    app.add_option("--fail-under", grade_.fail_under, "Exit code 5 below P percent of the points")
        ->type_name("P")
        ->check(between(0.0, 100.0));
    add_assignment(app, grade_.assignment);
    add_console(app, grade_.console);
    app.footer(kGradeExamples);
  }

  static void add_executor(CLI::App& app, ExecutorChoice& executor) {
    const std::map<std::string, bool> names{{"local", false}, {"slurm", true}};
    app.add_option("--executor", executor.is_slurm, "Where to grade: local (default) or slurm")
        ->transform(CLI::CheckedTransformer(names).description(""))
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

  void add_batch() {
    CLI::App& app = *app_.add_subcommand("batch", "Grade a whole class; goes on where it stopped");
    app.add_option("SOURCE", batch_.sources,
                   "Downloads of an LMS, folders or archives of submissions, clones")
        ->type_name("")
        ->required();
    app.add_option("--out", batch_.out, "Folder for the results of the class")
        ->type_name("DIR")
        ->required();
    app.add_option("--roster", batch_.roster, "The class list, CSV (default: the one given before)")
        ->type_name("FILE");
    app.add_option("--attempts", batch_.which, "Which attempts count: last, best or all")
        ->transform(CLI::CheckedTransformer(kAttempts).description(""))
        ->type_name("WHICH");
    app.add_option("--jobs", batch_.jobs, "Submissions at a time (default: one a processor)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, kMostJobs));
    app.add_flag("--force", batch_.grades_again,
                 "Grade again what is finished; keeps both results");
    app.add_option("--only", batch_.only, "Grade this student alone, again")->type_name("STUDENT");
    app.add_option("--check", batch_.check,
                   "Grade this check alone, again; all other results of a submission stay")
        ->type_name("CHECK");
    add_executor(app, batch_.executor);
    add_seed_and_cases(app, batch_.options.seed, batch_.options.cases);
    add_hint_level(app, batch_.options.hint_level);
    add_isolation(app, batch_.isolation);
    add_accept_unsafe(app, batch_.isolation);
    add_assignment(app, batch_.assignment);
    add_console(app, batch_.console);
    app.footer(kBatchExamples);
  }

  // What `batch` starts for each submission; not for people.
  void add_grade_task() {
    CLI::App& app = *app_.add_subcommand("grade-task", "Grade one submission of a batch");
    app.group("");
    app.add_option("REQUEST", grade_task_.request, "What is to be graded")
        ->type_name("")
        ->required();
    app.add_option("--core", grade_task_.core, "Processor to stay on")->type_name("N");
  }

  // What packages for other systems show until there is a result; not for people.
  void add_ungraded() {
    CLI::App& app = *app_.add_subcommand("ungraded", "Print a scorecard without a verdict");
    app.group("");
    app.add_option("REASON", ungraded_.reason, "Why nothing was graded")->type_name("")->required();
    app.add_option("--hint", ungraded_.hint, "What to do about it")->type_name("TEXT")->required();
    add_assignment(app, ungraded_.assignment);
  }

  void add_override() {
    CLI::App& app =
        *app_.add_subcommand("override", "Set a student's score by hand, with a reason");
    app.add_option("DIR", override_.results, "The results that batch wrote")
        ->type_name("")
        ->required();
    app.add_option("STUDENT", override_.student, "Id of the student")->type_name("")->required();
    CLI::Option* score = app.add_option("--score", override_.score, "The score that counts")
                             ->type_name("P")
                             ->check(between(0.0, kHighestScore));
    CLI::Option* withdraw =
        app.add_flag("--withdraw", override_.is_withdrawn, "The computed score counts again")
            ->excludes(score);
    score->excludes(withdraw);
    app.add_option("--reason", override_.reason, "Why; kept with it")
        ->type_name("TEXT")
        ->required();
    add_console(app, override_.console);
    app.footer(kOverrideExamples);
    app.callback([score, withdraw] {
      if (score->count() + withdraw->count() == 0) {
        throw CLI::RequiredError("--score or --withdraw");
      }
    });
  }

  void add_compare() {
    CLI::App& app = *app_.add_subcommand("compare", "Say whose score changes between two gradings");
    app.add_option("OLD", compare_.before, "Results of a batch, or a scorecard.json")
        ->type_name("")
        ->required();
    app.add_option("NEW", compare_.after, "The same, later (default: the newest runs in OLD)")
        ->type_name("");
    add_console(app, compare_.console);
    app.footer(kCompareExamples);
  }

  void add_replay() {
    CLI::App& app = *app_.add_subcommand("replay", "Run one stored counterexample again");
    app.add_option("SCORECARD", replay_.scorecard, "The scorecard.json that grade wrote")
        ->type_name("")
        ->required();
    app.add_option("CHECK", replay_.check, "Id of a check that did not pass")
        ->type_name("")
        ->required();
    app.add_option("SUBMISSION", replay_.submission,
                   "The graded submission (default: the copy beside the scorecard)")
        ->type_name("");
    app.add_flag("--changed", replay_.is_changed, "SUBMISSION has been changed since");
    add_isolation(app, replay_.isolation);
    add_accept_unsafe(app, replay_.isolation);
    add_assignment(app, replay_.assignment);
    add_console(app, replay_.console);
    app.footer(kReplayExamples);
  }

  static void add_formats(CLI::App& app, std::vector<Format>& formats) {
    app.add_option("--format", formats,
                   "What to print: text, json, html, markdown or junit; may be repeated")
        ->transform(CLI::CheckedTransformer(kFormats).description(""))
        ->allow_extra_args(false)
        ->type_name("FORMAT");
  }

  void add_report() {
    CLI::App& app =
        *app_.add_subcommand("report", "Show a stored scorecard in any format, or a class");
    app.add_option("SCORECARD", report_.scorecard,
                   "The scorecard.json that grade wrote, or the folder that batch wrote")
        ->type_name("")
        ->required();
    add_formats(app, report_.formats);
    add_assignment(app, report_.assignment);
    add_console(app, report_.console);
    app.footer(kReportExamples);
  }

  void add_export() {
    CLI::App& app = *app_.add_subcommand("export", "Write results in the form of another system");
    app.add_option("FORMAT", export_.format, format_names())->type_name("")->required();
    app.add_option("RESULTS", export_.source, "A scorecard.json, or the results that batch wrote")
        ->type_name("")
        ->required();
    app.add_option("--out", export_.out,
                   "Where to write: a file, or a folder for more than one (default: stdout)")
        ->type_name("PATH");
    app.add_option("--worksheet", export_.worksheet,
                   "The table that the platform exported, to be filled in")
        ->type_name("FILE");
    app.add_option("--column", export_.column, "What the platform calls the assignment")
        ->type_name("NAME");
    app.add_option("--visibility", export_.visibility,
                   "When Gradescope shows the checks: visible, after_due_date, after_published or "
                   "hidden (default: visible)")
        ->check(CLI::IsMember({"visible", "after_due_date", "after_published", "hidden"})
                    .description(""))
        ->type_name("WHEN");
    app.add_option("--hint-level", export_.hint_level,
                   "Tell no more than this: score_only, hints or full")
        ->transform(CLI::CheckedTransformer(kHintLevels).description(""))
        ->type_name("LEVEL");
    add_assignment(app, export_.assignment);
    add_console(app, export_.console);
    app.footer(kExportExamples);
  }

  void add_keygen() {
    CLI::App& app =
        *app_.add_subcommand("keygen", "Make the two keys that sign and verify scorecards");
    app.add_option("DIR", keygen_.directory, "Folder for the keys")->type_name("")->required();
    add_console(app, keygen_.console);
    app.footer(kKeygenExamples);
  }

  static void add_signed_files(CLI::App& app, std::filesystem::path& source) {
    app.add_option("SCORECARDS", source,
                   "A scorecard.json that grade wrote, or a folder that holds some")
        ->type_name("")
        ->required();
  }

  void add_sign() {
    CLI::App& app = *app_.add_subcommand("sign", "Sign scorecards, so that edits can be seen");
    add_signed_files(app, sign_.source);
    app.add_option("--key", sign_.key, "The secret key, signing-key.pem")
        ->type_name("FILE")
        ->required();
    app.add_flag("--again", sign_.signs_again, "Sign also what has a signature that does not hold");
    add_console(app, sign_.console);
    app.footer(kSignExamples);
  }

  void add_verify() {
    CLI::App& app =
        *app_.add_subcommand("verify", "Say which scorecards are not as they were signed");
    add_signed_files(app, verify_.source);
    app.add_option("--key", verify_.key, "The public key, public-key.pem")
        ->type_name("FILE")
        ->required();
    add_console(app, verify_.console);
    app.footer(kVerifyExamples);
  }

  static std::string format_names() {
    std::string text;
    for (const ExportFormat& format : export_formats()) {
      text += (text.empty() ? "" : "\n") + std::string(format.name) + ": " +
              std::string(format.summary);
    }
    return text;
  }

  void add_push() {
    CLI::App& app =
        *app_.add_subcommand("push", "Send the scores of a class to a learning platform (LTI 1.3)");
    app.add_option("DIR", push_.results, "The results that batch wrote")->type_name("")->required();
    app.add_option("--platform", push_.platform,
                   "What the platform and the tool are to each other: docs/integration.md")
        ->type_name("FILE")
        ->required();
    app.add_flag("--dry-run", push_.is_dry_run,
                 "Ask the platform for access, show what would be sent, send nothing");
    app.add_option("--only", push_.only, "Send this student's score alone; may be repeated")
        ->allow_extra_args(false)
        ->type_name("STUDENT");
    add_assignment(app, push_.assignment);
    add_console(app, push_.console);
    app.footer(kPushExamples);
  }

  void add_list() {
    CLI::App& app = *app_.add_subcommand("list", "List the checks or the known misconceptions");
    const std::map<std::string, ListCommand::What> names{
        {"checks", ListCommand::What::checks},
        {"misconceptions", ListCommand::What::misconceptions}};
    app.add_option("WHAT", list_.what, "checks or misconceptions")
        ->required()
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name("");
    app.add_option("--explain", list_.explain,
                   "What misconception ID is, and the smallest input that shows it")
        ->type_name("ID");
    add_assignment(app, list_.assignment);
    add_console(app, list_.console);
    app.footer(kListExamples);
  }

  void add_validate() {
    CLI::App& app = *app_.add_subcommand("validate", "Check an assignment folder for mistakes");
    app.add_option("ASSIGNMENT", validate_.assignment, "The folder")->type_name("")->required();
    add_console(app, validate_.console);
    app.footer(kValidateExamples);
  }

  void add_learn() {
    CLI::App& app = *app_.add_subcommand(
        "learn", "Keep the inputs that submissions failed on, to try them in every grading");
    app.add_option("SCORECARDS", learn_.scorecards,
                   "Scorecards that grade wrote, or folders that hold some")
        ->type_name("")
        ->required();
    add_assignment(app, learn_.assignment);
    add_console(app, learn_.console);
    app.footer(kLearnExamples);
  }

  void add_doctor() {
    CLI::App& app =
        *app_.add_subcommand("doctor", "Say what this machine offers and try its sandbox");
    add_isolation(app, doctor_.isolation);
    add_console(app, doctor_.console);
    app.footer(kDoctorExamples);
  }

  void add_selftest() {
    CLI::App& app =
        *app_.add_subcommand("selftest", "Grade correct and wrong models: is the grading fair?");
    add_seed_and_cases(app, selftest_.seed, selftest_.cases);
    app.add_option("--seeds", selftest_.seeds,
                   "Grade the correct styles with N seeds, from --seed on (default: 1)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, kMostSeeds));
    app.add_option("--filter", selftest_.filter, "Only this model or stage")->type_name("ID");
    app.add_option("--format", selftest_.format, "text or json")
        ->transform(CLI::CheckedTransformer(kSelftestFormats).description(""))
        ->type_name("FORMAT");
    add_assignment(app, selftest_.assignment);
    add_console(app, selftest_.console);
    app.footer(kSelftestExamples);
  }

  CLI::App app_{kOverview, "attention-grader"};
  GradeCommand grade_;
  BatchCommand batch_;
  GradeTaskCommand grade_task_;
  UngradedCommand ungraded_;
  OverrideCommand override_;
  CompareCommand compare_;
  ReplayCommand replay_;
  ReportCommand report_;
  ExportCommand export_;
  PushCommand push_;
  KeygenCommand keygen_;
  SignCommand sign_;
  VerifyCommand verify_;
  ListCommand list_;
  ValidateCommand validate_;
  LearnCommand learn_;
  DoctorCommand doctor_;
  SelftestCommand selftest_;
};

}  // namespace

Parsed parse_command_line(int count, const char* const* arguments) {
  return Parser().parse(count, arguments);
}

}  // namespace grader::cli
