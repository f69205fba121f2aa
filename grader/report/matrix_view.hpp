// Matrices and row vectors as reports show them: one view of both, and the part of a large one that
// is shown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/contract/value.hpp"

namespace grader {

/// A matrix or row vector, without a copy.
struct MatrixView {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const Entries* entries = nullptr;
  bool is_row = false;

  [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
    return (*entries)[static_cast<std::size_t>(row * columns + column)];
  }
};

/// Nothing for values that are neither.
inline std::optional<MatrixView> view_of(const Value& value) {
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    return MatrixView{matrix->rows, matrix->columns, &matrix->entries, false};
  }
  if (const auto* row = std::get_if<RowVector>(&value)) {
    return MatrixView{1, row->size(), &row->entries, true};
  }
  return std::nullopt;
}

/// The indices [first, end).
struct Window {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// At most `most` of `size` indices with `wanted` among them.
inline Window window(std::int64_t size, std::int64_t most, std::int64_t wanted) {
  if (size <= most) return {0, size};
  const std::int64_t first = std::clamp<std::int64_t>(wanted - most / 2, 0, size - most);
  return {first, first + most};
}

}  // namespace grader
