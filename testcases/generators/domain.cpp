#include "testcases/generators/domain.hpp"

#include <algorithm>
#include <cmath>

namespace attention_assignment {
namespace {

using grader::Matrix;

/// How far the keys lie from their mean, at most.
double radius_of(const Matrix& K) {
  std::vector<double> mean(static_cast<std::size_t>(K.columns), 0.0);
  for (std::int64_t j = 0; j < K.rows; ++j) {
    for (std::int64_t c = 0; c < K.columns; ++c) {
      mean[static_cast<std::size_t>(c)] += K(j, c) / static_cast<double>(K.rows);
    }
  }
  double radius = 0;
  for (std::int64_t j = 0; j < K.rows; ++j) {
    double sum = 0;
    for (std::int64_t c = 0; c < K.columns; ++c) {
      const double apart = K(j, c) - mean[static_cast<std::size_t>(c)];
      sum += apart * apart;
    }
    radius = std::max(radius, std::sqrt(sum));
  }
  return radius;
}

double longest_row(const Matrix& matrix) {
  double longest = 0;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const double norm = row_norm(matrix, row);
    if (!(norm <= longest)) longest = norm;
  }
  return longest;
}

}  // namespace

double row_norm(const Matrix& matrix, std::int64_t row) {
  double sum = 0;
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    sum += matrix(row, column) * matrix(row, column);
  }
  return std::sqrt(sum);
}

double largest_product(const Matrix& Q, const Matrix& K) { return longest_row(Q) * longest_row(K); }

bool values_in_range(const Matrix& V) {
  return std::ranges::all_of(V.entries,
                             [](double value) { return std::abs(value) <= kLargestValue; });
}

bool in_domain(const Matrix& Q, const Matrix& K, const Matrix& V) {
  const double query = longest_row(Q);
  return values_in_range(V) && query * longest_row(K) <= kLargestLogit &&
         query * 2 * radius_of(K) <= kLargestSpread;
}

bool fit_into_domain(Matrix& Q, const Matrix& K, const Matrix& V) {
  constexpr int kMostHalvings = 64;
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    if (in_domain(Q, K, V)) return true;
    for (double& entry : Q.entries) entry *= 0.5;
  }
  return false;
}

double magnitude_bound(const AttentionInputs& inputs, std::int64_t row) {
  double longest = 0;
  for (std::int64_t j = 0; j < inputs.n(); ++j) {
    if (inputs.visible(row, j)) longest = std::max(longest, row_norm(inputs.K, j));
  }
  const double size = row_norm(inputs.Q, row) * longest;
  return inputs.options.scaled ? size / std::sqrt(static_cast<double>(inputs.d_k())) : size;
}

}  // namespace attention_assignment
