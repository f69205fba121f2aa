// Which of a student's attempts count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/attempt.hpp"

namespace grader {

enum class WhichAttempts : std::uint8_t { last, best, all };

/// "last", "best" or "all"; throws UsageFault for anything else.
WhichAttempts which_attempts(const std::string& name);

/// The places in `attempts` of those to grade: of each student the last one within the limit, or
/// all within it. Attempts with a number above `limit` are never graded.
std::vector<std::size_t> attempts_to_grade(const std::vector<Attempt>& attempts,
                                           WhichAttempts which, std::optional<std::int64_t> limit);

/// An attempt of one student that was graded, or needs attention.
struct GradedAttempt {
  std::int64_t number = 1;
  std::optional<double> score;  ///< final, after deadlines; nothing where there is none yet
};

/// What counts of one student's attempts.
struct Counting {
  std::vector<std::size_t> places;  ///< in the list given, in its order
  std::string explanation;          ///< one sentence
};

/// Of one student's graded attempts (in any order, at least one) those that count: for `best` the
/// one with the highest score, the later of equals; while none has a score, the last.
Counting counting_attempts(const std::vector<GradedAttempt>& attempts, WhichAttempts which);

}  // namespace grader
