#include "grader/batch/class_results_of.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/batch/final_score.hpp"
#include "grader/batch/selection.hpp"

namespace grader {
namespace {

StudentStatus status_of(const Standing& standing) {
  if (!standing.graded) return StudentStatus::needs_attention;
  switch (standing.graded->grade->status) {
    case ScorecardStatus::graded: return StudentStatus::graded;
    case ScorecardStatus::not_built: return StudentStatus::not_built;
    case ScorecardStatus::refused: return StudentStatus::refused;
    case ScorecardStatus::environment_error:
    case ScorecardStatus::internal_error: break;
  }
  return StudentStatus::needs_attention;
}

Attempt attempt_of(const Standing& standing, const std::string& name) {
  Attempt attempt;
  attempt.student = standing.submission.student;
  attempt.name = name;
  attempt.number = standing.submission.number;
  attempt.submitted_at = standing.submission.submitted_at;
  attempt.marked_late = standing.submission.marked_late;
  attempt.lms_ids = standing.submission.lms_ids;
  attempt.origin = standing.submission.origin;
  return attempt;
}

// What the roster says of a student's ids holds against the download: an instructor wrote it.
void describe_by_roster(const Student& student, StudentResult& result) {
  result.section = student.section;
  result.email = student.email;
  for (const auto& [kind, id] : student.lms_ids) result.lms_ids[kind] = id;
}

class Class {
 public:
  Class(const Gradebook& gradebook, const BatchFile& batch, const Policy& policy,
        const std::vector<OverrideRecord>& overrides, const std::optional<Roster>& roster)
      : batch_(batch), policy_(policy), standings_(gradebook.standings()) {
    if (roster) {
      for (const Student& student : roster->students) roster_[student.id] = &student;
    }
    for (StudentRecord& student : gradebook.students()) names_[student.key] = student.name;
    for (const OverrideRecord& record : overrides) {
      overrides_[record.student] = record;
    }
    if (policy.deadline) limit_ = policy.deadline->attempts;
    results_.assignment_id = policy.id;
    results_.assignment_title = policy.title;
    results_.max_score = policy.max_score;
    results_.notices = batch.notices;
    for (const LeftOut& one : batch.left_out) results_.left_out.push_back({one.path, one.reason});
  }

  ClassResults results() {
    describe_checks();
    for (std::size_t first = 0; first < standings_.size();) {
      std::size_t end = first;
      while (end < standings_.size() &&
             standings_[end].submission.student == standings_[first].submission.student) {
        ++end;
      }
      add_student(first, end);
      first = end;
    }
    add_missing();
    std::ranges::sort(results_.students, {}, &StudentResult::id);
    return std::move(results_);
  }

 private:
  // The columns of the newest results; earlier ones may have had other checks.
  void describe_checks() {
    const RunRecord* newest = nullptr;
    for (const Standing& standing : standings_) {
      const bool is_newer =
          standing.graded && (newest == nullptr || standing.graded->graded_at > newest->graded_at);
      if (is_newer) newest = &*standing.graded;
    }
    if (newest == nullptr) return;
    results_.grader_version = newest->grade->grader_version;
    results_.configuration = newest->configuration;
    for (const CheckRecord& check : newest->grade->checks) {
      results_.checks.push_back({check.id, check.title, check.objective, check.max_points});
    }
  }

  [[nodiscard]] const Student* on_roster(const std::string& key) const {
    const auto found = roster_.find(key);
    return found == roster_.end() ? nullptr : found->second;
  }

  [[nodiscard]] std::string name_of(const std::string& key) const {
    const Student* student = on_roster(key);
    if (student != nullptr && !student->name.empty()) return student->name;
    const auto found = names_.find(key);
    return found == names_.end() ? "" : found->second;
  }

  // The attempts of one student lie in [first, end), in their order.
  void add_student(std::size_t first, std::size_t end) {
    const std::string& key = standings_[first].submission.student;
    const auto several = batch_.handed_in.find(key);
    const std::int64_t handed_in = std::max(several == batch_.handed_in.end() ? 1 : several->second,
                                            standings_[end - 1].submission.number);
    std::vector<FinalScore> scores;
    std::vector<GradedAttempt> graded;
    for (std::size_t place = first; place < end && counts(standings_[place]); ++place) {
      scores.push_back(score_of(standings_[place], handed_in));
      graded.push_back({standings_[place].submission.number, scores.back().score});
    }
    const std::string beyond = beyond_limit_text(handed_in, limit_);
    StudentResult result;
    if (graded.empty()) {
      result = ungraded(standings_[first]);
      override_score(result, {});
    } else {
      const std::int64_t within = limit_ ? std::min(*limit_, handed_in) : handed_in;
      const Counting counting = counting_attempts(graded, batch_.which, within);
      result = result_of(standings_[first + counting.place], scores[counting.place]);
      if (within > 1) result.adjustments.push_back(counting.explanation);
      if (graded.size() > 1) list_attempts(first, scores, result);
      override_score(result, scores[counting.place]);
    }
    result.attempts = handed_in;
    if (!beyond.empty()) {
      result.adjustments.push_back(beyond);
      results_.notices.push_back(key + ": " + beyond);
    }
    results_.students.push_back(std::move(result));
  }

  [[nodiscard]] bool counts(const Standing& standing) const {
    return !limit_ || standing.submission.number <= *limit_;
  }

  [[nodiscard]] FinalScore score_of(const Standing& standing, std::int64_t handed_in) const {
    const std::string& key = standing.submission.student;
    std::optional<double> computed;
    if (standing.graded) computed = standing.graded->grade->score;
    return final_score(computed, attempt_of(standing, name_of(key)),
                       standing.submission.number == handed_in, on_roster(key), policy_.deadline);
  }

  /// Whose `standing` is, without any result.
  [[nodiscard]] StudentResult owner_of(const Standing& standing) const {
    const std::string& key = standing.submission.student;
    StudentResult result;
    result.id = key;
    result.name = name_of(key);
    result.lms_ids = standing.submission.lms_ids;
    if (const Student* student = on_roster(key)) describe_by_roster(*student, result);
    return result;
  }

  // The limit is lower than when `standing`, the first of the graded attempts, was graded.
  [[nodiscard]] StudentResult ungraded(const Standing& standing) const {
    StudentResult result = owner_of(standing);
    result.status = StudentStatus::needs_attention;
    result.needs_attention =
        "None of the attempts that count has been graded: start the same command again.";
    return result;
  }

  void list_attempts(std::size_t first, const std::vector<FinalScore>& scores,
                     StudentResult& result) const {
    for (std::size_t place = 0; place < scores.size(); ++place) {
      const Standing& standing = standings_[first + place];
      AttemptResult attempt;
      attempt.number = standing.submission.number;
      attempt.status = scores[place].is_excused ? StudentStatus::excused : status_of(standing);
      attempt.submitted_at = standing.submission.submitted_at;
      attempt.late_days = static_cast<double>(scores[place].days_late);
      attempt.final_score = scores[place].score;
      if (standing.graded) {
        attempt.score = standing.graded->grade->score;
        attempt.report = standing.graded->folder + "/report.html";
      }
      result.graded_attempts.push_back(std::move(attempt));
    }
  }

  StudentResult result_of(const Standing& standing, const FinalScore& score) {
    StudentResult result = owner_of(standing);
    result.status = score.is_excused ? StudentStatus::excused : status_of(standing);
    result.attempt = standing.submission.number;
    result.submitted_at = standing.submission.submitted_at;
    result.late_days = static_cast<double>(score.days_late);
    result.final_score = score.score;
    // Without a deadline there is nothing to explain, unless a person has decided something.
    if (policy_.deadline || score.is_excused) result.adjustments.push_back(score.explanation);
    result.needs_attention = standing.needs_attention;
    if (standing.graded) {
      const GradeRecord& grade = *standing.graded->grade;
      result.score = grade.score;
      result.digest = grade.submission_digest;
      result.report = standing.graded->folder + "/report.html";
      result.checks = cells_of(grade);
      for (const DiagnosisRecord& diagnosis : grade.diagnoses) add_diagnosis(diagnosis, result);
      if (!standing.needs_attention.empty()) {
        result.needs_attention =
            "Grading it again failed, so this is the earlier result: " + standing.needs_attention;
      }
    }
    if (result.needs_attention.empty() && score.needs_decision) {
      result.needs_attention = score.explanation;
    }
    return result;
  }

  [[nodiscard]] std::vector<CheckCell> cells_of(const GradeRecord& grade) const {
    std::vector<CheckCell> cells;
    for (const CheckColumn& column : results_.checks) {
      const auto found = std::ranges::find(grade.checks, column.id, &CheckRecord::id);
      cells.push_back(found == grade.checks.end() ? CheckCell{}
                                                  : CheckCell{found->status, found->points});
    }
    return cells;
  }

  void add_diagnosis(const DiagnosisRecord& diagnosis, StudentResult& result) {
    result.diagnoses.push_back(diagnosis.id);
    if (known_mistakes_.insert(diagnosis.id).second) {
      results_.misconceptions.push_back({diagnosis.id, diagnosis.title, diagnosis.explanation});
    }
  }

  void override_score(StudentResult& result, const FinalScore& before) const {
    const auto found = overrides_.find(result.id);
    if (found == overrides_.end() || !found->second.score) return;
    const FinalScore after = decided(before, {*found->second.score, found->second.reason});
    result.final_score = after.score;
    result.is_overridden = true;
    result.adjustments.push_back(after.explanation);
  }

  void add_missing() {
    for (const auto& [id, student] : roster_) {
      if (std::ranges::find(results_.students, student->id, &StudentResult::id) !=
          results_.students.end()) {
        continue;
      }
      StudentResult result;
      result.id = id;
      result.name = student->name;
      describe_by_roster(*student, result);
      result.status = student->excused ? StudentStatus::excused : StudentStatus::missing;
      override_score(result, {});
      results_.students.push_back(std::move(result));
    }
  }

  const BatchFile& batch_;
  const Policy& policy_;
  std::optional<std::int64_t> limit_;  ///< of attempts
  std::vector<Standing> standings_;
  std::map<std::string, const Student*> roster_;
  std::map<std::string, std::string> names_;
  std::map<std::string, OverrideRecord> overrides_;
  std::set<std::string> known_mistakes_;
  ClassResults results_;
};

}  // namespace

ClassResults class_results_of(const Gradebook& gradebook, const BatchFile& batch,
                              const Policy& policy, const std::vector<OverrideRecord>& overrides,
                              const std::optional<Roster>& roster) {
  return Class(gradebook, batch, policy, overrides, roster).results();
}

}  // namespace grader
