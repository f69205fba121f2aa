#include "grader/lms/formats/gradescope.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/lms/exported_texts.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/names.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

void set_line(Json& json, const std::string& key, const std::string& text) {
  if (!text.empty()) json[key] = exported_line(text);
}

bool is_visible(const ExportOptions& options) {
  return options.visibility.empty() || options.visibility == "visible";
}

// What programs need to know of the check; students do not see it.
Json check_data(const ScoredCheck& check) {
  Json json{{"id", exported_line(check.result.id)},
            {"objective", exported_line(check.objective)},
            {"status", name_of(check.result.status)},
            {"cases", check.result.cases}};
  set_line(json, "blocked_by", check.result.blocked_by);
  set_line(json, "message", check.result.message);
  set_line(json, "replay", check.replay);
  return json;
}

Json test_of(const ScoredCheck& check, const std::string& number, const Scorecard& scorecard,
             const ExportOptions& options) {
  const bool is_passed = check.result.status == CheckStatus::passed;
  return {{"name", exported_line(check.title.empty() ? check.result.id : check.title)},
          {"number", number},
          {"score", points_of(check)},
          {"max_score", max_points_of(check)},
          {"status", is_passed ? "passed" : "failed"},
          {"output", check_text(check, scorecard)},
          {"tags", Json::array({exported_line(check.objective), exported_line(check.result.id)})},
          {"visibility", is_visible(options) ? "visible" : options.visibility},
          {"extra_data", check_data(check)}};
}

Json submission_test(const Scorecard& scorecard) {
  const bool is_graded = scorecard.status == ScorecardStatus::graded;
  return {{"name", "The submission can be graded"},
          {"number", "0"},
          {"status", is_graded ? "passed" : "failed"},
          {"output", is_graded ? "It compiles.\n" : problem_text(scorecard)},
          {"visibility", "visible"}};
}

Json tests_of(const Scorecard& scorecard, const ExportOptions& options) {
  Json tests = Json::array({submission_test(scorecard)});
  std::size_t objective_number = 0;
  for (const ExportedObjective& objective : by_objective(scorecard)) {
    ++objective_number;
    std::size_t number = 0;
    for (const ScoredCheck* check : objective.checks) {
      tests.push_back(test_of(*check,
                              std::to_string(objective_number) + "." + std::to_string(++number),
                              scorecard, options));
    }
  }
  return tests;
}

Json run_data(const Scorecard& scorecard) {
  Json json{{"scorecard_version", kScorecardVersion},
            {"status", name_of(scorecard.status)},
            {"hint_level", name_of(scorecard.hint_level)}};
  set_line(json, "assignment", scorecard.assignment_id);
  set_line(json, "configuration", scorecard.configuration);
  set_line(json, "grader_version", scorecard.grader_version);
  set_line(json, "submission_digest", scorecard.submission_digest);
  set_line(json, "isolation", scorecard.isolation.level);
  if (scorecard.hint_level != HintLevel::score_only) json["seed"] = scorecard.seed;
  Json mistakes = Json::array();
  for (const Diagnosis& diagnosis : scorecard.diagnosis) {
    mistakes.push_back(exported_line(diagnosis.id));
  }
  json["diagnosis"] = std::move(mistakes);
  return json;
}

// Students always see it, so it says nothing of results that they are to see later.
std::string output_of(const Scorecard& scorecard, const ExportOptions& options) {
  if (scorecard.is_unfinished && !is_visible(options)) return problem_text(scorecard);
  if (is_visible(options) || scorecard.status != ScorecardStatus::graded) {
    return summary_text(scorecard);
  }
  return "The submission was graded.\n";
}

}  // namespace

std::string gradescope_export(const Scorecard& scorecard, const ExportOptions& options) {
  Json json = Json::object();
  if (has_score(scorecard)) json["score"] = finite(scorecard.score, "its points");
  const auto total = scorecard.timing.find("total");
  if (total != scorecard.timing.end() && std::isfinite(total->second)) {
    json["execution_time"] = total->second;
  }
  json["output"] = output_of(scorecard, options);
  json["output_format"] = "text";
  json["test_output_format"] = "text";
  json["test_name_format"] = "text";
  json["stdout_visibility"] = "hidden";
  json["extra_data"] = run_data(scorecard);
  if (has_score(scorecard)) json["tests"] = tests_of(scorecard, options);
  return json_text(json);
}

}  // namespace grader
