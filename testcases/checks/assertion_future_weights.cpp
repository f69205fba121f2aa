// Weights for future_weights_are_zero. All rows sum to one: what is wrong is the future alone.
#include <utility>

#include "testcases/checks/assertion_family.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::Random;

/// Row i's weights halved, the other half on the future token j.
void leak(Matrix& weights, std::int64_t i, std::int64_t j) {
  for (std::int64_t k = 0; k <= i; ++k) weights(i, k) /= 2;
  weights(i, j) = 0.5;
}

/// Causal weights with one leak at `place(random, n)`.
template <typename Place>
auto causal_with_leak(Place place) {
  return [place](Random& random, std::int64_t n) {
    Matrix weights = causal_weights(random, n);
    const auto [i, j] = place(random, n);
    leak(weights, i, j);
    return weights;
  };
}

using Place = std::pair<std::int64_t, std::int64_t>;

Matrix next_token_seen(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  for (std::int64_t i = 0; i + 1 < n; ++i) leak(weights, i, i + 1);
  return weights;
}

Matrix later_tokens_seen(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  for (std::int64_t i = 0; i + 2 < n; ++i) leak(weights, i, random.integer(i + 2, n - 1));
  return weights;
}

Matrix small_leak(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  const std::int64_t i = random.integer(0, n - 2);
  weights(i, i) -= 1.0 / 512;
  weights(i, random.integer(i + 1, n - 1)) = 1.0 / 512;
  return weights;
}

/// Weights that are zero in places of the past, too.
Matrix weights_with_gaps(Random& random, std::int64_t n) {
  Matrix weights = causal_weights(random, n);
  for (std::int64_t i = 1; i < n; ++i) {
    const std::int64_t gap = random.integer(0, i - 1);
    weights(i, i) += weights(i, gap);
    weights(i, gap) = 0;
  }
  return weights;
}

Matrix own_token_only(Random& /*random*/, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) weights(i, i) = 1;
  return weights;
}

/// The first token has all the weight.
Matrix first_token_only(Random& /*random*/, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) weights(i, 0) = 1;
  return weights;
}

/// Row i sees the tokens from i on.
Matrix future_instead_of_past(Random& random, std::int64_t n) {
  const Matrix rows = causal_weights(random, n);
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) weights(n - 1 - i, n - 1 - j) = rows(i, j);
  }
  return weights;
}

}  // namespace

std::vector<AssertionFamily> future_weight_families() {
  const auto first_to_last = [](Random&, std::int64_t n) { return Place{0, n - 1}; };
  const auto first_to_second = [](Random&, std::int64_t) { return Place{0, 1}; };
  const auto last_two = [](Random&, std::int64_t n) { return Place{n - 2, n - 1}; };
  const auto one_row = [](Random& random, std::int64_t n) {
    const std::int64_t i = random.integer(1, n - 2);
    return Place{i, random.integer(i + 1, n - 1)};
  };
  return {
      weights_family("causal weights", true, 1, causal_weights),
      weights_family("saturated causal weights (a single 1 in each row)", true, 1,
                     saturated_weights),
      weights_family("even causal weights (1/1, 1/2, 1/3, … on the visible tokens)", true, 1,
                     even_weights),
      weights_family("causal weights that are zero for some past tokens, too", true, 2,
                     weights_with_gaps),
      weights_family("weights of tokens that attend to themselves alone", true, 1, own_token_only),
      weights_family("weights of tokens that attend to the first one alone", true, 1,
                     first_token_only),
      weights_family("weights without a mask", false, 2, unmasked_weights),
      weights_family("weights in which the first token sees the last one", false, 2,
                     causal_with_leak(first_to_last)),
      weights_family("weights in which only the first token sees the second one", false, 3,
                     causal_with_leak(first_to_second)),
      weights_family("weights in which the last token but one sees the last one", false, 2,
                     causal_with_leak(last_two)),
      weights_family("weights in which one token in the middle sees a later one", false, 3,
                     causal_with_leak(one_row)),
      weights_family("weights in which each token sees the next one", false, 2, next_token_seen),
      weights_family("weights in which tokens see beyond the next one", false, 3,
                     later_tokens_seen),
      weights_family("weights with a future weight of 1/512", false, 2, small_leak),
      weights_family("weights that show the future and hide the past", false, 2,
                     future_instead_of_past),
  };
}

}  // namespace attention_assignment
