// One test case: named input values, and what the shrinker must know to make it smaller.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/contract/value.hpp"

namespace grader {

/// One input of a case.
struct Input {
  std::string name;  ///< "Q", "changed_token", …
  Value value;
  /// The name of each dimension: {"n", "d_k"} for a matrix, {"n"} for a row vector, {"n"} for an
  /// integer that indexes tokens, {} for what must not be resized. The shrinker removes an index
  /// of a dimension from all inputs that share it.
  std::vector<std::string> dimensions;
  bool frozen = false;  ///< numbers are not simplified (structure still may be)
  bool shown = true;    ///< false: reports leave it out, since this failure does not depend on it
};

/// A test case. `inputs` are everything the judgement needs; nothing is hidden in a seed.
struct Case {
  std::vector<Input> inputs;
  std::string label;  ///< the class the generator drew it from ("normal", "spikes", family name)
  std::string name;   ///< a fixed case's name for reports ("the lesson's four tokens"), else empty

  [[nodiscard]] const Matrix& matrix(std::string_view input) const;
  [[nodiscard]] const RowVector& row(std::string_view input) const;
  [[nodiscard]] std::int64_t integer(std::string_view input) const;
  [[nodiscard]] bool boolean(std::string_view input) const;
  [[nodiscard]] double number(std::string_view input) const;
};

/// Same inputs, bit for bit.
[[nodiscard]] bool identical(const Case& left, const Case& right);

}  // namespace grader
