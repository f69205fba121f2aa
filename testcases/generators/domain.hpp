// The inputs on which every mathematically right program is right in double precision, however it
// orders its operations. Robustness beyond them is the business of softmax.stability alone.
#pragma once

#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

inline constexpr double kLargestLogit = 600;
inline constexpr double kLargestSpread = 300;
inline constexpr double kLargestValue = 1e100;

/// Length of row `row`.
[[nodiscard]] double row_norm(const grader::Matrix& matrix, std::int64_t row);

/// True when, with `scaled` on and off, no logit can leave ±600 and no two logits of a row can lie
/// further apart than 300, and V stays within 1e100. Judged by the lengths of queries and keys
/// (|q·k| <= |q||k|), so it is stricter than necessary.
[[nodiscard]] bool in_domain(const grader::Matrix& Q, const grader::Matrix& K,
                             const grader::Matrix& V);

/// No product of a query and a key is larger in size than this.
[[nodiscard]] double largest_product(const grader::Matrix& Q, const grader::Matrix& K);

/// V stays within 1e100.
[[nodiscard]] bool values_in_range(const grader::Matrix& V);

/// Halves Q until the inputs lie in the domain. Halving is exact and keeps zeros and signs. Returns
/// false when even that does not help (V out of range, entries that are not finite).
bool fit_into_domain(grader::Matrix& Q, const grader::Matrix& K, const grader::Matrix& V);

/// An upper bound of B (tolerance.hpp) for row `row` that needs no products of queries and keys:
/// |q_i| times the longest visible key, over √d_k when scaled.
[[nodiscard]] double magnitude_bound(const AttentionInputs& inputs, std::int64_t row);

}  // namespace attention_assignment
