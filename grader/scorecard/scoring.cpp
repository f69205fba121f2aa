#include "grader/scorecard/scoring.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

std::map<std::string, CheckResult> by_id(std::vector<CheckResult> results) {
  std::map<std::string, CheckResult> found;
  for (CheckResult& result : results) {
    std::string id = result.id;
    if (!found.emplace(id, std::move(result)).second) {
      throw InternalFault("check " + id + " has two results");
    }
  }
  return found;
}

ScoredCheck scored(const CheckPolicy& policy, CheckResult result) {
  ScoredCheck check;
  check.points = result.status == CheckStatus::passed ? policy.points : 0;
  check.result = std::move(result);
  check.title = policy.title;
  check.objective = policy.objective;
  check.max_points = policy.points;
  check.hint = policy.hint;
  check.lesson = policy.lesson;
  return check;
}

}  // namespace

Scoring score_results(const Policy& policy, std::vector<CheckResult> results) {
  std::map<std::string, CheckResult> found = by_id(std::move(results));
  Scoring scoring;
  for (const Objective& objective : policy.objectives) {
    scoring.objectives.push_back({objective.id, objective.title, 0, 0});
  }
  for (const CheckPolicy& check_policy : policy.checks) {
    CheckResult result;
    result.id = check_policy.id;
    if (auto entry = found.extract(check_policy.id)) result = std::move(entry.mapped());
    const ScoredCheck& check = scoring.checks.emplace_back(scored(check_policy, std::move(result)));
    const auto objective =
        std::ranges::find(scoring.objectives, check.objective, &ObjectiveScore::id);
    if (objective == scoring.objectives.end()) {
      throw InternalFault("check " + check_policy.id + " belongs to no objective");
    }
    objective->points += check.points;
    objective->max_points += check.max_points;
    scoring.score += check.points;
    scoring.max_score += check.max_points;
  }
  if (!found.empty()) {
    throw InternalFault("check " + found.begin()->first + " is not in the policy");
  }
  return scoring;
}

void enter_scoring(Scorecard& scorecard, Scoring scoring) {
  scorecard.checks = std::move(scoring.checks);
  scorecard.objectives = std::move(scoring.objectives);
  scorecard.score = scoring.score;
  scorecard.max_score = scoring.max_score;
}

}  // namespace grader
