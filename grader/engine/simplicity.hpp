// Which of two cases is simpler for a person to read. Shrinking only ever goes down this order, and
// the order has no infinite descent, so shrinking ends.
#pragma once

#include <compare>
#include <cstdint>

#include "grader/engine/case.hpp"

namespace grader {

/// The cost of reading one number: 0 < 1 < -1 < 2 < -2 < … small integers < other integers (round
/// ones first: 100 < 200 < 17) < eighths < everything else < NaN and infinities.
std::uint64_t cost_of(double number);
/// 0 < 1 < -1 < 2 < …
std::uint64_t cost_of(std::int64_t integer);

/// The cost of a case, compared from the first member to the last.
struct CaseCost {
  std::uint64_t entries = 0;   ///< numbers in all matrices, rows and numbers
  std::uint64_t discrete = 0;  ///< integers by cost_of, and one for each boolean that is false
  std::uint64_t numbers = 0;   ///< sum of cost_of over all numbers
  auto operator<=>(const CaseCost&) const =
      default;  // NOLINT(modernize-use-nullptr): a zero of <=>
};

CaseCost cost_of(const Case& test_case);

}  // namespace grader
