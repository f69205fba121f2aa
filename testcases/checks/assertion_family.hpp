// What the data files of the assertion checks have in common: families of cases, and weights made
// of fractions whose sums are exact.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"
#include "grader/engine/case.hpp"
#include "grader/engine/random.hpp"

namespace attention_assignment {

/// Cases of one kind, in several sizes.
struct AssertionFamily {
  /// What is right or wrong with them, so that it reads well after "accepted" or "refused":
  /// "weights whose last row sums to 0.5".
  std::string label;
  bool valid = false;
  std::int64_t smallest_n = 1;  ///< the family needs so many tokens
  /// The inputs for n tokens, without "valid".
  std::function<std::vector<grader::Input>(grader::Random&, std::int64_t n)> make;
};

std::vector<AssertionFamily> output_shape_families();
std::vector<AssertionFamily> row_sum_families();
std::vector<AssertionFamily> future_weight_families();
std::vector<AssertionFamily> past_output_families();
/// More of them are invalid than valid, in every size: see judge_scaling_raises_entropy.
std::vector<AssertionFamily> entropy_families();

/// The denominator of all weights below but those that are divided by a sum.
inline constexpr std::int64_t kUnits = 256;

/// A row of `n` weights, multiples of 1/256 that sum to exactly one: positive in the first
/// `visible` columns, zero in the others.
grader::RowVector random_weights(grader::Random& random, std::int64_t visible, std::int64_t n);

/// Rows of random_weights in which row i sees i + 1 tokens.
grader::Matrix causal_weights(grader::Random& random, std::int64_t n);

/// Rows of random_weights in which every row sees all tokens.
grader::Matrix unmasked_weights(grader::Random& random, std::int64_t n);

void set_row(grader::Matrix& matrix, std::int64_t row, const grader::RowVector& entries);

/// A single 1 in each row, on a token that it may see.
grader::Matrix saturated_weights(grader::Random& random, std::int64_t n);

/// A row of `n` positive weights in the first `visible` columns, divided by their sum: it sums to
/// one up to rounding.
grader::RowVector divided_row(grader::Random& random, std::int64_t visible, std::int64_t n);

/// The same weight on every token that a row may see.
grader::Matrix even_weights(grader::Random& random, std::int64_t n);

/// A single 1 in each row, and 1e-18 on another token that it may see, if there is one.
grader::Matrix nearly_saturated_weights(grader::Random& random, std::int64_t n);

/// A family whose only input is the weights that `make` returns.
AssertionFamily weights_family(std::string label, bool valid, std::int64_t smallest_n,
                               std::function<grader::Matrix(grader::Random&, std::int64_t n)> make);

/// An input that nothing may resize.
grader::Input fixed_input(std::string name, grader::Value value);

}  // namespace attention_assignment
