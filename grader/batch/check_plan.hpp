// Which finished attempts get one check graded again alone.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/layout.hpp"
#include "grader/batch/plan.hpp"
#include "grader/pipeline/regrade_check.hpp"

namespace grader {

struct CheckPlan {
  Plan plan;  ///< each attempt by itself: its other checks' results are its own
  /// Whose results stay as they are, and why, a sentence a reason, the most frequent first.
  std::vector<std::string> left_alone;
};

/// Every attempt with a grade in which `check` can be graded again. One whose check was graded
/// again alone with this version of the assignment already is finished, unless `grades_again`.
CheckPlan plan_check(const std::string& check, const std::vector<Attempt>& attempts,
                     const Gradebook& gradebook, const BatchLayout& layout, const Regrading& now,
                     bool grades_again, const ContentOf& content_of);

}  // namespace grader
