#include "grader/gradebook/records.hpp"

#include <algorithm>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

constexpr std::size_t kTextLimit = 2'000;

std::string title_of_objective(const Scorecard& scorecard, const std::string& id) {
  const auto found = std::ranges::find(scorecard.objectives, id, &ObjectiveScore::id);
  return found == scorecard.objectives.end() ? id : found->title;
}

}  // namespace

GradeRecord grade_record(const Scorecard& scorecard) {
  GradeRecord record;
  record.status = scorecard.status;
  record.score = scorecard.score;
  record.max_score = scorecard.max_score;
  record.error =
      plain_line(scorecard.error.empty() ? scorecard.build.problem : scorecard.error, kTextLimit);
  record.submission_digest = scorecard.submission_digest;
  record.assignment_id = scorecard.assignment_id;
  record.assignment_title = scorecard.assignment_title;
  record.assignment_digest = scorecard.assignment_digest;
  record.grader_version = scorecard.grader_version;
  record.seed = scorecard.seed;
  record.cases = scorecard.cases;
  record.toolchain = plain_line(scorecard.toolchain, kTextLimit);
  record.isolation = scorecard.isolation.level;
  for (const ScoredCheck& check : scorecard.checks) {
    record.checks.push_back({check.result.id, plain_line(check.title, kTextLimit),
                             plain_line(title_of_objective(scorecard, check.objective), kTextLimit),
                             check.result.status, check.points, check.max_points,
                             check.result.blocked_by,
                             plain_line(check.result.message, kTextLimit)});
  }
  for (const Diagnosis& diagnosis : scorecard.diagnosis) {
    record.diagnoses.push_back({diagnosis.id, plain_line(diagnosis.title, kTextLimit),
                                plain_line(diagnosis.explanation, kTextLimit)});
  }
  return record;
}

}  // namespace grader
