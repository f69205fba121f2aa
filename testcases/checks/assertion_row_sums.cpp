// Weights for rows_sum_to_one.
#include <cmath>
#include <limits>
#include <utility>

#include "testcases/checks/assertion_family.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::Random;

void multiply_row(Matrix& weights, std::int64_t row, double factor) {
  for (std::int64_t j = 0; j < weights.columns; ++j) weights(row, j) *= factor;
}

/// Causal weights in which row `row(random, n)` is multiplied.
template <typename Row>
auto causal_with_row_times(double factor, Row row) {
  return [factor, row](Random& random, std::int64_t n) {
    Matrix weights = causal_weights(random, n);
    multiply_row(weights, row(random, n), factor);
    return weights;
  };
}

/// From the second row on, each sum is off by 2^-49, alternately above and below one.
Matrix honestly_rounded(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  for (std::int64_t i = 1; i < n; ++i) weights(i, i) += i % 2 == 0 ? 0x1p-49 : -0x1p-49;
  return weights;
}

/// Weights that are no fractions of a power of two, in rows that are off by 2^-48, up and down: by
/// more than the order of adding them up can change, so that no order finds exactly one.
Matrix with_rounded_rows(Matrix weights) {
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    multiply_row(weights, i, i % 2 == 0 ? 1 + 0x1p-48 : 1 - 0x1p-48);
  }
  return weights;
}

Matrix divided_by_their_sum(Random& random, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) set_row(weights, i, divided_row(random, i + 1, n));
  return with_rounded_rows(weights);
}

Matrix rounded_even_weights(Random& random, std::int64_t n) {
  return with_rounded_rows(even_weights(random, n));
}

Matrix off_by_little(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  const std::int64_t i = random.integer(0, n - 1);
  weights(i, random.integer(0, i)) += 1.0 / 512;
  return weights;
}

Matrix short_by_little(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  weights(n - 1, n - 1) -= 1.0 / 512;
  return weights;
}

Matrix masked_afterwards(Random& random, std::int64_t n) {
  Matrix weights = unmasked_weights(random, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = i + 1; j < n; ++j) weights(i, j) = 0;
  }
  return weights;
}

/// Column j is a distribution over the rows from j on; so the first row sums to less than one.
Matrix columns_instead_of_rows(Random& random, std::int64_t n) {
  const Matrix rows = causal_weights(random, n);
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) weights(n - 1 - j, n - 1 - i) = rows(i, j);
  }
  return weights;
}

Matrix right_on_average(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  multiply_row(weights, 0, 1.5);
  multiply_row(weights, n - 1, 0.5);
  return weights;
}

Matrix whole_matrix_sums_to_one(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  for (double& weight : weights.entries) weight /= static_cast<double>(n);
  return weights;
}

Matrix all_zero(Random& /*random*/, std::int64_t n) { return Matrix(n, n); }

/// The largest entry of each row is 1, as after exp(logit - maximum) without the division.
Matrix never_divided(Random& random, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      weights(i, j) = static_cast<double>(random.integer(16, kUnits)) / kUnits;
    }
    weights(i, random.integer(0, i)) = 1;
  }
  return weights;
}

Matrix with_nan(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  const std::int64_t i = random.integer(0, n - 1);
  weights(i, random.integer(0, i)) = std::numeric_limits<double>::quiet_NaN();
  return weights;
}

Matrix all_nan(Random& /*random*/, std::int64_t n) {
  return Matrix(n, n, std::numeric_limits<double>::quiet_NaN());
}

std::int64_t first(Random& /*random*/, std::int64_t /*n*/) { return 0; }
std::int64_t last(Random& /*random*/, std::int64_t n) { return n - 1; }
std::int64_t between(Random& random, std::int64_t n) { return random.integer(1, n - 2); }

}  // namespace

std::vector<AssertionFamily> row_sum_families() {
  return {
      weights_family("causal weights", true, 1, causal_weights),
      weights_family("weights without a mask", true, 2, unmasked_weights),
      weights_family("weights with honest rounding (a row sums to 1 - 2e-15)", true, 2,
                     honestly_rounded),
      weights_family("saturated weights (a single 1 in each row)", true, 1, saturated_weights),
      weights_family("weights that were divided by their row's sum (1 ± 4e-15 by rounding)", true,
                     1, divided_by_their_sum),
      weights_family("even weights (1/1, 1/2, 1/3, … on the visible tokens, rounded)", true, 1,
                     rounded_even_weights),
      weights_family("weights of which one in each row is next to nothing (1e-18)", true, 2,
                     nearly_saturated_weights),
      weights_family("weights whose last row sums to 0.5", false, 1,
                     causal_with_row_times(0.5, last)),
      weights_family("weights whose first row sums to 2", false, 1,
                     causal_with_row_times(2, first)),
      weights_family("weights with one row in the middle that sums to 0.75", false, 3,
                     causal_with_row_times(0.75, between)),
      weights_family("weights with one row that sums to 1 + 1/512", false, 1, off_by_little),
      weights_family("weights whose last row sums to 1 - 1/512", false, 1, short_by_little),
      weights_family("weights that were masked after the softmax and not renormalised", false, 2,
                     masked_afterwards),
      weights_family("weights whose columns sum to one, but not their rows", false, 2,
                     columns_instead_of_rows),
      weights_family("weights whose rows sum to one only on average", false, 2, right_on_average),
      weights_family("weights that sum to one over the whole matrix, not in each row", false, 2,
                     whole_matrix_sums_to_one),
      weights_family("weights that are all zero", false, 1, all_zero),
      weights_family("weights that were never divided by their row's sum", false, 2, never_divided),
      weights_family("NaN in the weights", false, 1, with_nan),
      weights_family("weights that are all NaN", false, 1, all_nan),
  };
}

}  // namespace attention_assignment
