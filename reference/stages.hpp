// The stages of attention as naive loops in long double: obviously right, never fast.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/contract/value.hpp"
#include "testcases/checks/attention_types.hpp"

namespace reference {

/// A matrix of long doubles in row-major order.
struct WideMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<long double> entries;

  WideMatrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count),
        columns(column_count),
        entries(static_cast<std::size_t>(row_count * column_count)) {}
  long double& operator()(std::int64_t row, std::int64_t column) {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
  long double operator()(std::int64_t row, std::int64_t column) const {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
};

[[nodiscard]] WideMatrix widened(const grader::Matrix& matrix);
/// Rounded once, to nearest.
[[nodiscard]] grader::Matrix rounded(const WideMatrix& matrix);

/// left · right; left.columns == right.rows.
[[nodiscard]] WideMatrix product(const WideMatrix& left, const WideMatrix& right);

/// Q·Kᵀ, divided by √d_k when scaled; −∞ where the options hide the key.
[[nodiscard]] WideMatrix logits(const attention_assignment::AttentionInputs& inputs);

/// The scale in force times Σ_c|Q_ic||K_jc|, for every pair.
[[nodiscard]] WideMatrix magnitudes(const attention_assignment::AttentionInputs& inputs);

/// The softmax of one row. NaN throughout when no logit is finite or one is NaN or +∞.
[[nodiscard]] std::vector<long double> softmax(const std::vector<long double>& row);

/// softmax of every row.
[[nodiscard]] WideMatrix softmax_rows(const WideMatrix& logits);

/// −Σ w·ln w in nats; 0·ln 0 = 0.
[[nodiscard]] long double entropy(const std::vector<long double>& weights);

}  // namespace reference
