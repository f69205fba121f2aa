// The results of a class as scores for an LTI 1.3 platform.
#pragma once

#include <string>
#include <vector>

#include "grader/class_report/class_results.hpp"
#include "grader/lti/score.hpp"

namespace grader {

struct StudentScore {
  std::string student;  ///< StudentResult::id
  LtiScore score;
};

struct LtiScores {
  std::vector<StudentScore> scores;  ///< in the order of the class
  /// Who has no score in it and why, one sentence each: LTI cannot say "excused" or "nobody knows
  /// yet", and a score of nothing would be taken for a zero.
  std::vector<std::string> left_out;
};

/// The score of each student who has one and whom the roster knows by an LTI user
/// (lms_ids["lti_user"]) of their own. All get this timestamp.
[[nodiscard]] LtiScores lti_scores(const ClassResults& results, const std::string& timestamp);

}  // namespace grader
