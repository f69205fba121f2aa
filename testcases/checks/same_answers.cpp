#include "testcases/checks/same_answers.hpp"

#include <algorithm>
#include <cmath>

#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/domain.hpp"

namespace attention_assignment {

using grader::Matrix;

OwnBounds::OwnBounds(const AttentionInputs& inputs, const AttentionResult& own)
    : n_(inputs.n()), d_k_(inputs.d_k()) {
  double longest_key = 0;
  for (std::int64_t j = 0; j < n_; ++j) longest_key = std::max(longest_key, row_norm(inputs.K, j));
  for (std::int64_t i = 0; i < n_; ++i) {
    const double size = row_norm(inputs.Q, i) * longest_key;
    sizes_.push_back(size);
    relative_errors_.push_back(own_relative_error(inputs, own.logits, i, size));
    weight_sums_.push_back(
        is_finite_row(own.weights, i) ? std::max(1.0, sum_of_sizes(own.weights, i)) : 1.0);
  }
  for (std::int64_t column = 0; column < inputs.d_v(); ++column) {
    values_.push_back(value_column(inputs.V, column, [](std::int64_t) { return true; }));
  }
}

double OwnBounds::logit(std::int64_t row) const {
  return 2 * logit_tolerance(d_k_, sizes_[static_cast<std::size_t>(row)]);
}

double OwnBounds::weight(std::int64_t row, double left, double right) const {
  const double size = std::max(std::abs(left), std::abs(right));
  if (!std::isfinite(size)) return 0;
  return 2 * weight_tolerance(relative_errors_[static_cast<std::size_t>(row)], size);
}

double OwnBounds::output(std::int64_t row, std::int64_t column) const {
  const auto i = static_cast<std::size_t>(row);
  const ValueColumn& values = values_[static_cast<std::size_t>(column)];
  return 2 * output_tolerance(relative_errors_[i], weight_sums_[i], values.largest, values.sum, n_);
}

std::optional<Disagreement> first_disagreement(const AttentionInputs& inputs,
                                               const AttentionResult& left,
                                               const AttentionResult& right) {
  const OwnBounds bounds(inputs, left);
  const std::int64_t n = inputs.n();
  if (const auto at = first_refused(n, n, [&](auto i, auto j) {
        return same_answer(left.logits(i, j), right.logits(i, j), bounds.logit(i));
      })) {
    return Disagreement{"logits", *at};
  }
  if (const auto at = first_refused(n, n, [&](auto i, auto j) {
        return same_answer(left.weights(i, j), right.weights(i, j),
                           bounds.weight(i, left.weights(i, j), right.weights(i, j)));
      })) {
    return Disagreement{"weights", *at};
  }
  if (const auto at = first_refused(n, inputs.d_v(), [&](auto i, auto column) {
        return same_answer(left.output(i, column), right.output(i, column),
                           bounds.output(i, column));
      })) {
    return Disagreement{"output", *at};
  }
  return std::nullopt;
}

const Matrix& named(const AttentionResult& result, const std::string& matrix) {
  if (matrix == "logits") return result.logits;
  return matrix == "weights" ? result.weights : result.output;
}

bool has_finite(const Matrix& matrix) {
  return std::ranges::any_of(matrix.entries, [](double entry) { return std::isfinite(entry); });
}

bool has_finite_nonzero(const Matrix& matrix) {
  return std::ranges::any_of(matrix.entries,
                             [](double entry) { return std::isfinite(entry) && entry != 0; });
}

double sum_of_sizes(const Matrix& matrix, std::int64_t row) {
  double sum = 0;
  for (std::int64_t j = 0; j < matrix.columns; ++j) sum += std::abs(matrix(row, j));
  return sum;
}

}  // namespace attention_assignment
