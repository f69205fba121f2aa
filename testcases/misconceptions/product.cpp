// Mistakes in the product of queries and keys.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

/// Products of other matrices than Q and K.
template <typename Pick>
AttentionModel of_operands(Pick pick) {
  AttentionModel model;
  model.product = [pick](const Problem& problem) {
    auto [left, right] = pick(problem);
    return dot_products(Problem{std::move(left), std::move(right), Matrix(), problem.options});
  };
  return model;
}

/// `score(query i, key j)` over the features.
template <typename Score>
AttentionModel scoring(Score score) {
  AttentionModel model;
  model.product = [score](const Problem& problem) {
    Matrix products(problem.n(), problem.K.rows);
    return with_entries(std::move(products),
                        [&](Index i, Index j, double) { return score(problem, i, j); });
  };
  return model;
}

/// `change(problem, i, j, q·k)` of each product.
template <typename Change>
AttentionModel changing_products(Change change) {
  AttentionModel model;
  model.product = [change](const Problem& problem) {
    return with_entries(dot_products(problem), [&](Index i, Index j, double product) {
      return change(problem, i, j, product);
    });
  };
  return model;
}

double root_of_features(const Problem& problem) {
  return problem.options.scaled ? std::sqrt(static_cast<double>(problem.d_k())) : 1.0;
}

double dot_product(const Problem& problem, Index i, Index j) {
  double dot = 0;
  for (Index c = 0; c < problem.d_k(); ++c) dot += problem.Q(i, c) * problem.K(j, c);
  return dot;
}

double cosine(const Problem& problem, Index i, Index j) {
  double query = 0;
  double key = 0;
  for (Index c = 0; c < problem.d_k(); ++c) {
    query += problem.Q(i, c) * problem.Q(i, c);
    key += problem.K(j, c) * problem.K(j, c);
  }
  const double lengths = std::sqrt(query) * std::sqrt(key);
  return lengths == 0 ? 0 : dot_product(problem, i, j) / lengths;
}

double minus_squared_distance(const Problem& problem, Index i, Index j) {
  double sum = 0;
  for (Index c = 0; c < problem.d_k(); ++c) {
    const double difference = problem.Q(i, c) - problem.K(j, c);
    sum -= difference * difference;
  }
  return sum;
}

double key_with_itself(const Problem& problem, Index /*i*/, Index j) {
  double sum = 0;
  for (Index c = 0; c < problem.d_k(); ++c) sum += problem.Q(j, c) * problem.K(j, c);
  return sum;
}

/// std::inner_product(..., 0): the accumulator is an int. The cut is done in double so that huge
/// inputs stay defined here.
double integer_accumulator(const Problem& problem, Index i, Index j) {
  double sum = 0;
  for (Index c = 0; c < problem.d_k(); ++c) {
    sum = std::trunc(sum + problem.Q(i, c) * problem.K(j, c));
  }
  return sum;
}

/// The same with what usual processors make of numbers that an int cannot hold: the lowest int.
double overflowing_accumulator(const Problem& problem, Index i, Index j) {
  constexpr double kLowest = std::numeric_limits<int>::min();
  double sum = 0;
  for (Index c = 0; c < problem.d_k(); ++c) {
    sum = std::trunc(sum + problem.Q(i, c) * problem.K(j, c));
    if (!(std::abs(sum) < -kLowest)) sum = kLowest;
  }
  return sum;
}

Matrix divide_by_lengths_only(const Problem& /*problem*/, Matrix products) { return products; }

AttentionModel cosine_similarity() {
  AttentionModel model = scoring(cosine);
  model.scale = divide_by_lengths_only;
  return model;
}

/// The lengths take the place of the root: with `scaled` off it is the plain dot product.
double cosine_if_scaled(const Problem& problem, Index i, Index j) {
  return problem.options.scaled ? cosine(problem, i, j) : dot_product(problem, i, j);
}

AttentionModel cosine_similarity_for_the_scale() {
  AttentionModel model = scoring(cosine_if_scaled);
  model.scale = divide_by_lengths_only;
  return model;
}

Matrix product_without_transpose(const Problem& problem) {
  Matrix product = multiply(problem.Q, problem.K);
  if (product.columns != problem.n()) throw std::invalid_argument("weights are not square");
  return product;
}

}  // namespace

std::vector<Misconception> product_misconceptions() {
  using Pair = std::pair<Matrix, Matrix>;
  return {
      {"P01",
       "Q·K without the transpose",
       {kScaling, kShapes},
       {.product = product_without_transpose},
       "A dot product pairs features with features, so the keys have to be transposed: QKᵀ, that "
       "is logit(i, j) = Σ_c Q(i, c)·K(j, c). Without the transpose the sizes fit only when n = "
       "d_k, and the numbers mean nothing."},
      {"P02",
       "transposed logits: K·Q^T",
       {kScaling},
       of_operands([](const Problem& p) {
         return Pair{p.K, p.Q};
       }),
       "Row i of the logits belongs to query i: it is q_i·k_j for all keys j. KQᵀ is the transpose "
       "of that, so queries and keys have changed places."},
      {"P08",
       "the queries used as keys: Q·Q^T",
       {kScaling},
       of_operands([](const Problem& p) {
         return Pair{p.Q, p.Q};
       }),
       "Both operands are the queries here. What is compared with a query is the keys: logit(i, j) "
       "= q_i·k_j."},
      {"P09",
       "the keys used as queries: K·K^T",
       {kScaling},
       of_operands([](const Problem& p) {
         return Pair{p.K, p.K};
       }),
       "Both operands are the keys here. Row i of the logits asks with query i: logit(i, j) = "
       "q_i·k_j."},
      {"P21",
       "cosine similarity instead of the dot product",
       {kScaling},
       cosine_similarity(),
       "The vectors are divided by their lengths, which makes it the cosine of the angle. "
       "Attention uses the plain dot product divided by √d_k; lengths matter in it.",
       {cosine_similarity_for_the_scale(), scoring(cosine), scoring(cosine_if_scaled)}},
      {"P22",
       "minus the squared distance instead of the dot product",
       {kScaling},
       scoring(minus_squared_distance),
       "A distance measures something else. Attention compares by the dot product: logit(i, j) = "
       "q_i·k_j/√d_k."},
      {"P27",
       "the key's own query is used: q_j·k_j",
       {kScaling},
       scoring(key_with_itself),
       "The dot product uses query j with key j, so every row of the logits is the same. Row i "
       "needs query i: Q(i, c)·K(j, c)."},
      {"P31",
       "absolute value of the dot product",
       {kScaling},
       changing_products(
           [](const Problem&, Index, Index, double product) { return std::abs(product); }),
       "A negative dot product means that a key fits badly, which the softmax has to know. Leave "
       "the sign as it is."},
      {"P34",
       "a bias for later positions is added",
       {kScaling},
       changing_products([](const Problem& p, Index, Index j, double product) {
         return product + 0.1 * static_cast<double>(j) * root_of_features(p);
       }),
       "Nothing is added for the position: the causal mask alone knows about order. A logit is "
       "q_i·k_j/√d_k."},
      {"P35",
       "integer accumulator for the dot product",
       {kScaling},
       scoring(integer_accumulator),
       "The sum of products starts from an integer (0 instead of 0.0), so that its fraction is cut "
       "off at every step. Accumulate in a double.",
       {scoring(overflowing_accumulator)}},
  };
}

}  // namespace attention_assignment::misconceptions
