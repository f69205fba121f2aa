#include "grader/batch/check_plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

std::optional<RunRecord> newest_grade(const Gradebook& gradebook, const Attempt& attempt) {
  std::optional<RunRecord> newest;
  for (RunRecord& run : gradebook.runs(attempt.student, attempt.number)) {
    if (run.grade) newest = std::move(run);
  }
  return newest;
}

/// Sorts attempts into those to grade, those that are finished, and those to leave alone.
class Planning {
 public:
  Planning(const std::string& check, const BatchLayout& layout, const Regrading& now,
           bool grades_again)
      : check_(check), layout_(layout), now_(now), grades_again_(grades_again) {}

  void add(const Attempt& attempt, const std::string& content,
           const std::optional<RunRecord>& graded) {
    if (!graded) return leave(attempt, "It has no result yet.");
    if (graded->content != content) {
      return leave(attempt, "Other files were handed in since it was graded.");
    }
    if (graded->grade->status != ScorecardStatus::graded) return leave(attempt, "No check ran.");
    try {
      add(attempt, *graded, read_earlier_result(layout_.root() / graded->folder));
    } catch (const UsageFault& fault) {
      leave(attempt, fault.what());
    }
  }

  CheckPlan finish() {
    constexpr std::size_t kMostNamed = 5;
    std::vector<std::pair<std::string, std::vector<std::string>>> left(left_.begin(), left_.end());
    std::ranges::stable_sort(left, std::ranges::greater(),
                             [](const auto& one) { return one.second.size(); });
    for (const auto& [reason, students] : left) {
      std::string names;
      for (std::size_t index = 0; index < students.size() && index < kMostNamed; ++index) {
        names += (index == 0 ? "" : ", ") + students[index];
      }
      if (students.size() > kMostNamed) {
        names += " and " + counted(students.size() - kMostNamed, "other");
      }
      result_.left_alone.push_back("Left as it is: " + names + ". " + reason);
    }
    return std::move(result_);
  }

 private:
  void add(const Attempt& attempt, const RunRecord& graded, const EarlierResult& earlier) {
    std::string obstacle = obstacle_to_regrading(earlier, check_, now_);
    if (!obstacle.empty()) return leave(attempt, std::move(obstacle));
    if (!grades_again_ && is_regraded(earlier, check_, now_.assignment)) {
      ++result_.plan.finished;
      return;
    }
    PlannedGroup& group = result_.plan.groups.emplace_back();
    group.attempts.push_back({attempt, graded.content,
                              configuration_after_regrading(earlier, check_, now_),
                              regraded_after(earlier, check_, now_.assignment)});
    group.earlier = graded.folder;
    ++result_.plan.pending;
  }

  void leave(const Attempt& attempt, std::string reason) {
    left_[std::move(reason)].push_back(attempt.student);
  }

  const std::string& check_;
  const BatchLayout& layout_;
  const Regrading& now_;
  bool grades_again_;
  CheckPlan result_;
  std::map<std::string, std::vector<std::string>> left_;  ///< by reason
};

}  // namespace

CheckPlan plan_check(const std::string& check, const std::vector<Attempt>& attempts,
                     const Gradebook& gradebook, const BatchLayout& layout, const Regrading& now,
                     bool grades_again, const ContentOf& content_of) {
  Planning planning(check, layout, now, grades_again);
  for (const Attempt& attempt : attempts) {
    planning.add(attempt, content_or_reason(attempt, content_of), newest_grade(gradebook, attempt));
  }
  return planning.finish();
}

}  // namespace grader
