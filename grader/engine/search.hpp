// Looks for a failing case where random ones hardly go. A check declares a direction in which
// mistakes hide (Search in check.hpp); from the case of its schedule that lies furthest that way,
// the search keeps changing the one that got furthest so far. Every case on the way is judged like
// any other.
#pragma once

#include <cstdint>
#include <optional>

#include "grader/engine/check_run.hpp"

namespace grader {

/// How a search ended.
struct SearchEnd {
  std::optional<Case> failing;  ///< the first case that fails
  std::int64_t judged = 0;      ///< cases judged on the way, the failing one included
};

/// Searches where `check` has passed its run by `plan`. `implementation` answers what
/// Search::reach asks. Deterministic: the cases depend on the seed, the check, and the answers.
SearchEnd search_further(const Check& check, const Search& search, const RunPlan& plan,
                         const JudgeCase& judge, Implementation& implementation);

}  // namespace grader
