#include "grader/lms/formats/autolab.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lms/exported_texts.hpp"
#include "grader/report/failure.hpp"
#include "grader/report/summary.hpp"
#include "grader/report/text.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReportLimit = 256 << 10;  // Tango cuts what is longer than 1000 KB

// On one line, in ASCII: the databases of some installations hold no characters beyond.
std::string one_line(const Json& json) { return json.dump(-1, ' ', true); }

// A JSON string without a colon in it: Autolab's rewriting would take it for the end of a key.
std::string name_text(const std::string& name) {
  std::string text;
  for (const char character : one_line(Json(name))) {
    text += character == ':' ? "\\u003a" : std::string(1, character);
  }
  return text;
}

struct Problem {
  std::string name;
  double points = 0;
};

// Autolab takes the spaces off the names of its problems.
std::string trimmed(const std::string& name) {
  const std::size_t first = name.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

std::vector<Problem> problems_of(const Scorecard& scorecard, const ExportOptions& options) {
  if (!options.column.empty()) {
    return {{trimmed(exported_line(options.column)), finite(scorecard.score, "its points")}};
  }
  std::vector<Problem> problems;
  for (const ObjectiveScore& objective : scorecard.objectives) {
    const std::string name = trimmed(exported_line(objective.title));
    if (name.empty() || std::ranges::find(problems, name, &Problem::name) != problems.end()) {
      throw UsageFault("Autolab tells problems apart by name, and two objectives have the same.",
                       "Give each objective a title of its own in assignment.json, or name one "
                       "problem for all points with --column.");
    }
    problems.push_back({name, finite(objective.points, "the points of " + name)});
  }
  return problems;
}

std::string scores_line(const Scorecard& scorecard, const ExportOptions& options) {
  std::string text;
  for (const Problem& problem : problems_of(scorecard, options)) {
    text += (text.empty() ? "" : ", ") + name_text(problem.name) + ": " +
            (has_score(scorecard) ? one_line(Json(problem.points)) : "null");
  }
  if (text.empty()) {
    throw UsageFault("Autolab needs at least one problem, and the scorecard lists no objective.",
                     "Name one problem for all points with --column.");
  }
  return "{\"scores\": {" + text + "}}";
}

Json case_of(bool is_passed, const std::string& hint) {
  Json json{{"passed", is_passed}};
  if (!is_passed && !hint.empty()) json["hint"] = hint;
  return json;
}

// A key of its own for each: "row sums", "row sums (2)". Autolab hides what begins with "_".
std::string key_for(const Json& table, const std::string& wanted) {
  std::string base = exported_line(wanted);
  if (base.empty() || base.starts_with('_')) base = "- " + base;
  std::string key = base;
  for (int number = 2; table.contains(key); ++number) {
    key = base + " (" + std::to_string(number) + ")";
  }
  return key;
}

std::string hint_of(const ScoredCheck& check, const Scorecard& scorecard) {
  std::string hint = check_sentence(check, scorecard);
  if (did_fail(check) && !check.hint.empty()) hint += " " + check.hint;
  return exported_line(hint);
}

std::string stages_line(const Scorecard& scorecard) {
  const bool can_be_graded = scorecard.status == ScorecardStatus::graded;
  Json line{{"_presentation", "semantic"}, {"stages", Json::array()}};
  const auto add = [&](const std::string& title, Json cases) {
    const std::string key = key_for(line, title);
    line["stages"].push_back(key);
    line[key] = std::move(cases);
  };
  std::string problem;
  for (const std::string& sentence : problem_sentences(scorecard)) {
    problem += (problem.empty() ? "" : " ") + sentence;
  }
  add("Submission", Json{{"The submission can be graded", case_of(can_be_graded, problem)}});
  if (!has_findings(scorecard)) return one_line(line);
  for (const ExportedObjective& objective : by_objective(scorecard)) {
    Json cases = Json::object();
    for (const ScoredCheck* check : objective.checks) {
      // What grading did not get to is neither passed nor failed.
      if (scorecard.is_unfinished && !was_run(check->result)) continue;
      const bool is_passed = check->result.status == CheckStatus::passed;
      const std::string& title = check->title.empty() ? check->result.id : check->title;
      cases[key_for(cases, title)] = case_of(is_passed, hint_of(*check, scorecard));
    }
    if (!cases.empty()) add(objective.title, std::move(cases));
  }
  return one_line(line);
}

}  // namespace

std::string autolab_export(const Scorecard& scorecard, const ExportOptions& options) {
  Scorecard shown = scorecard;
  for (ScoredCheck& check : shown.checks) check.replay.clear();  // students have no scorecard there
  const std::string report =
      scorecard.is_unfinished ? summary_text(shown) : text_report(shown, {false, options.commands});
  return plain_text(report, kReportLimit) + "\n" + stages_line(scorecard) + "\n" +
         scores_line(scorecard, options) + "\n";
}

}  // namespace grader
