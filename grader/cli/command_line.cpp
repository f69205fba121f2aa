#include "grader/cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <map>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/cli/help_texts.hpp"
#include "grader/cli/options.hpp"

namespace grader::cli {
namespace {

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
    add("grade", "Grade one submission", grade_);
    add("batch", "Grade a whole class; goes on where it stopped", batch_);
    add("grade-task", "Grade one submission of a batch", grade_task_);
    add("ungraded", "Print a scorecard without a verdict", ungraded_);
    add("override", "Set a student's score by hand, with a reason", override_);
    add("compare", "Say whose score changes between two gradings", compare_);
    add("replay", "Run one stored counterexample again", replay_);
    add("report", "Show a stored scorecard in any format, or a class", report_);
    add("export", "Write results in the form of another system", export_);
    add("push", "Send the scores of a class to a learning platform (LTI 1.3)", push_);
    add("keygen", "Make the two keys that sign and verify scorecards", keygen_);
    add("sign", "Sign scorecards, so that edits can be seen", sign_);
    add("verify", "Say which scorecards are not as they were signed", verify_);
    add("list", "List the checks or the known misconceptions", list_);
    add("validate", "Check an assignment folder for mistakes", validate_);
    add("learn", "Keep the inputs that submissions failed on, to try them in every grading",
        learn_);
    add("doctor", "Say what this machine offers and try its sandbox", doctor_);
    add("selftest", "Grade correct and wrong models: is the grading fair?", selftest_);
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
    parsed.command = commands_.at(app_.get_subcommands().front())();
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

  /// A command is here, in commands.hpp, and with its options in a source of options.
  template <class Chosen>
  void add(const std::string& name, const std::string& summary, Chosen& command) {
    CLI::App* const app = app_.add_subcommand(name, summary);
    add_options(*app, command);
    commands_[app] = [&command] { return Command(command); };
  }

  CLI::App app_{kOverview, "attention-grader"};
  std::map<const CLI::App*, std::function<Command()>> commands_;
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
