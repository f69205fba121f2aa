// Which results of a class go to a platform.
#pragma once

#include <string>
#include <vector>

#include "grader/class_report/class_results.hpp"
#include "grader/lti/platform.hpp"
#include "grader/lti/student_scores.hpp"

namespace grader {

struct Deliverables {
  std::vector<StudentScore> scores;  ///< without timestamps, in the order of the class
  /// Whose score should go there and cannot, one sentence without its full stop each: no id of the
  /// platform, nobody knows the score yet.
  std::vector<std::string> left_out;
  /// Whose score should not, likewise: excused, nothing handed in. LTI cannot say either.
  std::vector<std::string> nothing_to_deliver;
};

/// The scores of `only` (StudentResult::id), or of everybody where that is empty. Throws UsageFault
/// for somebody who is not in the class.
Deliverables deliverables(const ClassResults& results, const Platform& platform,
                          const std::vector<std::string>& only);

}  // namespace grader
