// What of a student's result may be handed on to a platform, where the student sees it.
#pragma once

#include <optional>
#include <string>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// A score, that the student is excused, or why there is neither. What nobody has decided yet is
/// never handed on, and least of all as a zero.
struct HandedOn {
  std::optional<double> score;  ///< rounded to two decimals, as platforms keep it
  bool is_excused = false;
  std::string why_not;  ///< "has handed nothing in": what to say of the student; empty otherwise
};

[[nodiscard]] HandedOn handed_on(const StudentResult& student);

/// What that system (of StudentResult::lms_ids) calls the student; empty when nobody told it.
[[nodiscard]] std::string lms_id(const StudentResult& student, const std::string& system);

/// Points with at most two decimals and a point: "65.6". Throws InternalFault when they are not
/// finite.
[[nodiscard]] std::string points_text(double points);

/// What the student is told beside the score, on one line: how many points of how many, what became
/// of the submission and what lateness cost. A score decided by hand comes without its reason,
/// which was written for others.
[[nodiscard]] std::string comment_for(const StudentResult& student, double max_score);

}  // namespace grader
