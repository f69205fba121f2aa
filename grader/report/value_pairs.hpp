// What a check saw and what it expected, side by side by name.
#pragma once

#include <string>
#include <vector>

#include "grader/engine/check.hpp"

namespace grader {

/// A returned value beside its expected counterpart; one of the two may be missing. Points into the
/// judgement that it was made from.
struct ValuePair {
  std::string name;
  const Value* yours = nullptr;
  const Value* expected = nullptr;
};

/// The pairs of a judgement, records of matrices taken apart ("result.weights"). Pairs that agree
/// to the bit are left out when others do not.
[[nodiscard]] std::vector<ValuePair> value_pairs(const Judgement& judgement);

/// What the two sides are called: "yours" and "expected" unless the check says otherwise.
[[nodiscard]] std::string returned_title(const Judgement& judgement);
[[nodiscard]] std::string expected_title(const Judgement& judgement);

}  // namespace grader
