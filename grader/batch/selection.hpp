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

/// "Attempt 4 does not count: 3 are allowed." of a student who has handed in `handed_in` attempts;
/// empty when all of them count.
std::string beyond_limit_text(std::int64_t handed_in, std::optional<std::int64_t> limit);

/// An attempt of one student that was graded, or needs attention.
struct GradedAttempt {
  std::int64_t number = 1;
  std::optional<double> score;  ///< final, after deadlines; nothing where there is none yet
};

/// Which of one student's attempts counts.
struct Counting {
  std::size_t place = 0;    ///< in the list given
  std::string explanation;  ///< one sentence
};

/// Of one student's graded attempts (in any order, at least one) the one that counts: for `best`
/// the one with the highest score, the later of equals; while none has a score, and for `last` and
/// `all`, the last. `handed_in`: how many the student has handed in within the limit.
Counting counting_attempts(const std::vector<GradedAttempt>& attempts, WhichAttempts which,
                           std::int64_t handed_in);

}  // namespace grader
