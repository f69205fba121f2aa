// Which sizes a random case has.
#pragma once

#include <cstdint>

#include "grader/engine/check.hpp"
#include "grader/engine/random.hpp"

namespace attention_assignment {

struct CaseShape {
  std::int64_t n = 1;
  std::int64_t d_k = 1;
  std::int64_t d_v = 1;
};

/// Sizes by stratum, in fixed places of the schedule:
///   every 16th case     one of the 27 shapes in {1,2,3}³, in turn
///   every 125th case    large: 33 to 64 tokens, 65 to 128 features, d_v 16 to 64; one of four
///                       129 to 136 tokens, 17 to 32 features, d_v 3 to 12
///   every 8th case      2 to 5 tokens
///   all others          6 to 12 tokens
/// Outside the 27, n, d_k and d_v are pairwise different and d_k is not a square in at least half
/// of the cases; a slip between sizes, or an integer square root, shows on those.
CaseShape draw_shape(grader::Random& random, const grader::Schedule& schedule);

}  // namespace attention_assignment
