#include "reference/stages.hpp"

#include <cmath>
#include <limits>

namespace reference {
namespace {

using attention_assignment::AttentionInputs;

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
constexpr long double kNotANumber = std::numeric_limits<long double>::quiet_NaN();

long double scale_of(const AttentionInputs& inputs) {
  return inputs.options.scaled ? std::sqrt(static_cast<long double>(inputs.d_k())) : 1.0L;
}

}  // namespace

WideMatrix widened(const grader::Matrix& matrix) {
  WideMatrix wide(matrix.rows, matrix.columns);
  for (std::size_t entry = 0; entry < wide.entries.size(); ++entry) {
    wide.entries[entry] = matrix.entries[entry];
  }
  return wide;
}

grader::Matrix rounded(const WideMatrix& matrix) {
  grader::Matrix narrow(matrix.rows, matrix.columns);
  for (std::size_t entry = 0; entry < narrow.entries.size(); ++entry) {
    narrow.entries[entry] = static_cast<double>(matrix.entries[entry]);
  }
  return narrow;
}

WideMatrix product(const WideMatrix& left, const WideMatrix& right) {
  WideMatrix result(left.rows, right.columns);
  for (std::int64_t row = 0; row < left.rows; ++row) {
    for (std::int64_t column = 0; column < right.columns; ++column) {
      long double sum = 0;
      for (std::int64_t inner = 0; inner < left.columns; ++inner) {
        sum += left(row, inner) * right(inner, column);
      }
      result(row, column) = sum;
    }
  }
  return result;
}

WideMatrix logits(const AttentionInputs& inputs) {
  const std::int64_t n = inputs.n();
  const long double divisor = scale_of(inputs);
  WideMatrix result(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (!inputs.visible(i, j)) {
        result(i, j) = -kInfinity;
        continue;
      }
      long double sum = 0;
      for (std::int64_t c = 0; c < inputs.d_k(); ++c) {
        sum += static_cast<long double>(inputs.Q(i, c)) * static_cast<long double>(inputs.K(j, c));
      }
      result(i, j) = sum / divisor;
    }
  }
  return result;
}

WideMatrix magnitudes(const AttentionInputs& inputs) {
  AttentionInputs absolute = inputs;
  absolute.options.causal = false;
  for (double& entry : absolute.Q.entries) entry = std::abs(entry);
  for (double& entry : absolute.K.entries) entry = std::abs(entry);
  return logits(absolute);
}

std::vector<long double> softmax(const std::vector<long double>& row) {
  long double largest = -kInfinity;
  for (const long double logit : row) {
    if (std::isnan(logit)) largest = kNotANumber;
    if (logit > largest) largest = logit;
  }
  if (!std::isfinite(largest)) return std::vector<long double>(row.size(), kNotANumber);
  std::vector<long double> weights;
  weights.reserve(row.size());
  long double sum = 0;
  for (const long double logit : row) {
    weights.push_back(std::exp(logit - largest));
    sum += weights.back();
  }
  for (long double& weight : weights) weight /= sum;
  return weights;
}

WideMatrix softmax_rows(const WideMatrix& logits) {
  WideMatrix weights(logits.rows, logits.columns);
  for (std::int64_t i = 0; i < logits.rows; ++i) {
    std::vector<long double> row;
    for (std::int64_t j = 0; j < logits.columns; ++j) row.push_back(logits(i, j));
    row = softmax(row);
    for (std::int64_t j = 0; j < logits.columns; ++j) {
      weights(i, j) = row[static_cast<std::size_t>(j)];
    }
  }
  return weights;
}

long double entropy(const std::vector<long double>& weights) {
  long double sum = 0;
  for (const long double weight : weights) {
    if (weight != 0) sum += weight * std::log(weight);
  }
  return sum == 0 ? 0.0L : -sum;
}

}  // namespace reference
