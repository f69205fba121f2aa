// A cut-out of a matrix or row vector as aligned columns of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"
#include "grader/report/number_text.hpp"

namespace grader {

/// A matrix seen as rows of cells; a row vector has one row.
struct Grid {
  std::int64_t first_row = 0;  ///< index of lines[0] in the matrix
  std::vector<std::string> lines;
  std::size_t width = 0;  ///< columns of the widest line
  std::int64_t rows_left_out = 0;
  bool is_cut = false;  ///< rows or columns were left out
  std::string size;     ///< "2×3", or "3" for a row vector
};

/// The grid of a matrix or row vector, at most `kShownRows` × `kShownColumns`, cut so that the
/// entry (row, column) is inside. Nothing for other values.
std::optional<Grid> grid_of(const Value& value, std::int64_t row, std::int64_t column,
                            int digits = kDigits);

/// The entry of a matrix or row vector, if it is there.
std::optional<double> entry_of(const Value& value, std::int64_t row, std::int64_t column);

}  // namespace grader
