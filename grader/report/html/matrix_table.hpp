// Matrices as tables of coloured cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"
#include "grader/report/html/data.hpp"

namespace grader::html {

/// How numbers become shades: weights from 0 to 1, everything else by sign and size.
struct Shades {
  bool are_weights = false;
  double largest = 0;  ///< of the finite magnitudes
};

/// The shades that suit all of `values` together, so that equal numbers look equal.
[[nodiscard]] Shades shades_for(const std::vector<const Value*>& values);

/// What a table of a matrix says besides its numbers.
struct TableOptions {
  Shades shades;
  std::int64_t around_row = 0;  ///< large matrices are cut around this entry
  std::int64_t around_column = 0;
  bool is_marked = false;      ///< the entry above is outlined
  bool has_triangle = false;   ///< entries right of the diagonal are set apart
  bool is_difference = false;  ///< zeros are dots
};

/// The table of a matrix or row vector; nothing for other values.
[[nodiscard]] std::optional<Data> matrix_table(const std::string& title, const Value& value,
                                               const TableOptions& options);

/// A square matrix whose entries right of the diagonal are all 0 or all −∞, and not all others too:
/// nothing is seen of what comes later.
[[nodiscard]] bool is_causal(const Value& value);

/// left − right entry by entry, 0 where both are the same (NaN and infinities too); nothing unless
/// both have the same size.
[[nodiscard]] std::optional<Value> difference(const Value& left, const Value& right);

}  // namespace grader::html
