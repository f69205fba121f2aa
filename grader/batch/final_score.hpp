// From the score that was computed to the one that counts: deadlines, extensions, excused students,
// and what a person decides. Pure functions; who stores their results keeps computed and decided
// scores apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/assignment/policy.hpp"
#include "grader/batch/attempt.hpp"
#include "grader/batch/roster.hpp"

namespace grader {

struct FinalScore {
  std::optional<double> score;  ///< nothing: excused, or no score was computed; never a zero then
  std::int64_t days_late = 0;   ///< started days after the due time and its grace
  std::int64_t free_days_spent = 0;
  bool is_excused = false;
  /// The facts do not settle it (late by how much?): `score` is without penalty until somebody
  /// decides.
  bool needs_decision = false;
  bool is_decided_by_hand = false;
  std::string explanation;  ///< one or two sentences, fit to be shown
};

/// What `computed` (nothing while the attempt needs attention) becomes. `student` is the row of the
/// roster, or null where there is none; `is_last`: the attempt is the student's last, to which
/// Student::submitted_at belongs.
FinalScore final_score(std::optional<double> computed, const Attempt& attempt, bool is_last,
                       const Student* student, const std::optional<Deadline>& deadline);

/// What a person decided about one student.
struct Override {
  double score = 0;
  std::string reason;
};

/// The override applied last. Throws UsageFault when it has no reason, or a score that is no number
/// from 0 on.
FinalScore decided(const FinalScore& before, const Override& decision);

}  // namespace grader
