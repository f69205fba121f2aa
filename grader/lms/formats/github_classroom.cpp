#include "grader/lms/formats/github_classroom.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <vector>

#include "grader/base/base64.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lms/exported_texts.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

// All results become variables of one process: the kernel takes 128 KiB each and 2 MiB together.
constexpr std::size_t kAllTexts = 256 << 10;
constexpr std::size_t kOneText = 8 << 10;
constexpr std::size_t kLeastText = 200;

struct Runner {
  std::string name;
  std::string title;
  std::string status;  // "pass", "fail" or "error"
  double points = 0;
  double max_points = 0;
  std::string sentence;
  std::string text;
};

bool is_alphanumeric(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

// "softmax.row_sums" becomes "softmaxRowSums": the reporter takes letters and digits only.
std::string runner_name(const std::string& id) {
  std::string name;
  bool starts_word = false;
  for (const char letter : id) {
    if (!is_alphanumeric(letter)) {
      starts_word = !name.empty();
      continue;
    }
    const auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    name += starts_word ? upper : letter;
    starts_word = false;
  }
  const bool starts_with_digit =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0;
  return name.empty() || starts_with_digit ? "check" + name : name;
}

std::string upper_case(std::string name) {
  for (char& letter : name) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return name;
}

// Variables tell runners apart in upper case only.
void name_apart(std::vector<Runner>& runners) {
  std::vector<std::string> taken;
  for (Runner& runner : runners) {
    const std::string base = runner.name;
    for (int number = 2; std::ranges::find(taken, upper_case(runner.name)) != taken.end();
         ++number) {
      runner.name = base + std::to_string(number);
    }
    taken.push_back(upper_case(runner.name));
  }
}

// Part of the points of a check is told as two runners, one that has them and one that lost the
// rest: a runner of one test has all points or none.
void add_check(const ScoredCheck& check, const Scorecard& scorecard, std::vector<Runner>& runners) {
  Runner runner;
  runner.name = runner_name(check.result.id);
  runner.title = check.title.empty() || check.title == check.result.id
                     ? check.result.id
                     : check.result.id + ": " + check.title;
  // Without most points nothing of it is sent to Classroom.
  runner.points = has_score(scorecard) ? points_of(check) : 0;
  runner.max_points = has_score(scorecard) ? max_points_of(check) : 0;
  if (runner.points < 0 || runner.points > runner.max_points) {
    throw UsageFault("The scorecard cannot be exported: " + exported_line(check.result.id) +
                         " has " + points_text(runner.points, runner.max_points) + " points.",
                     "Grade the submission again to get a new scorecard.");
  }
  const bool is_passed = runner.max_points > 0 ? runner.points == runner.max_points
                                               : check.result.status == CheckStatus::passed;
  runner.status = is_passed ? "pass" : "fail";
  runner.sentence = check_sentence(check, scorecard);
  runner.text = runner.status == "pass" ? "" : check_text(check, scorecard);
  if (runner.points > 0 && runner.points < runner.max_points) {
    Runner earned = runner;
    earned.name += "Part";
    earned.status = "pass";
    earned.max_points = runner.points;
    earned.text.clear();
    runners.push_back(earned);
    runner.max_points -= runner.points;
    runner.points = 0;
  }
  runners.push_back(runner);
}

Runner whole_submission(const Scorecard& scorecard) {
  Runner runner;
  runner.name = "submission";
  runner.title = "The submission can be graded";
  runner.status = has_score(scorecard) ? "fail" : "error";
  runner.max_points = has_score(scorecard) ? finite(scorecard.max_score, "its most points") : 0;
  runner.text = problem_text(scorecard);
  runner.sentence = exported_line(problem_headline(scorecard));
  return runner;
}

// Nothing that GitHub Actions would take for a command.
std::string without_commands(const std::string& text) {
  std::string shown = text;
  for (std::size_t place = 0; (place = shown.find("##[", place)) != std::string::npos;) {
    shown.insert(place + 2, " ");
  }
  return shown;
}

// Each line behind a bar: none starts with "::".
std::string behind_bars(const std::string& text) {
  std::string shown;
  for (const std::string& line : lines_of(text)) {
    shown += "| " + line + "\n";
  }
  return without_commands(shown);
}

std::string results_of(const Runner& runner, std::size_t text_limit) {
  Json test{{"name", without_commands(exported_line(runner.title))},
            {"status", runner.status},
            {"score", runner.points},
            {"message", nullptr},
            {"test_code", behind_bars(plain_text(runner.text, text_limit))},
            {"filename", ""},
            {"line_no", 0},
            {"duration", 0}};
  if (runner.status != "pass") {
    test["message"] = without_commands(plain_line(runner.sentence, text_limit));
  }
  return Json{{"version", 1},
              {"status", runner.status},
              {"max_score", runner.max_points},
              {"tests", Json::array({std::move(test)})}}
      .dump();
}

}  // namespace

std::string github_classroom_export(const Scorecard& scorecard, const ExportOptions& /*options*/) {
  std::vector<Runner> runners;
  if (scorecard.status != ScorecardStatus::graded) runners.push_back(whole_submission(scorecard));
  if (has_findings(scorecard)) {
    for (const ExportedObjective& objective : by_objective(scorecard)) {
      for (const ScoredCheck* check : objective.checks) {
        // What grading did not get to is neither passed nor failed.
        if (scorecard.is_unfinished && !was_run(check->result)) continue;
        add_check(*check, scorecard, runners);
      }
    }
  }
  if (runners.empty()) {
    throw UsageFault("The scorecard cannot be exported: it has no checks.",
                     "Name the scorecard.json that `grade` wrote.");
  }
  name_apart(runners);
  const std::size_t text_limit = std::clamp(kAllTexts / runners.size(), kLeastText, kOneText);
  std::string lines;
  std::string names;
  for (const Runner& runner : runners) {
    lines += upper_case(runner.name) + "_RESULTS=" + base64(results_of(runner, text_limit)) + "\n";
    names += (names.empty() ? "" : ",") + runner.name;
  }
  return lines + "ATTENTION_GRADER_RUNNERS=" + names + "\n";
}

}  // namespace grader
