// Mistakes in mixing the values: wrong operand, wrong orientation, something more than W·V.
#include <cmath>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

Matrix weights_transposed(const Problem& problem, const Matrix& weights) {
  return multiply(transposed(weights), problem.V);
}

Matrix mix_keys(const Problem& problem, const Matrix& weights) {
  return multiply(weights, problem.K);
}

Matrix mix_queries(const Problem& problem, const Matrix& weights) {
  return multiply(weights, problem.Q);
}

Matrix values_times_weights(const Problem& problem, const Matrix& weights) {
  return multiply(problem.V, weights);
}

Matrix output_transposed(const Problem& problem, const Matrix& weights) {
  return transposed(weighted_sum(problem, weights));
}

Matrix residual_added(const Problem& problem, const Matrix& weights) {
  return with_entries(weighted_sum(problem, weights),
                      [&](Index i, Index c, double entry) { return entry + problem.V(i, c); });
}

Matrix own_value_instead_of_the_keys(const Problem& problem, const Matrix& weights) {
  return with_entries(Matrix(problem.n(), problem.d_v()), [&](Index i, Index c, double) {
    double sum = 0;
    for (Index j = 0; j < problem.n(); ++j) {
      if (problem.visible(i, j)) sum += weights(i, j) * problem.V(i, c);
    }
    return sum;
  });
}

Matrix averaged_again(const Problem& problem, const Matrix& weights) {
  return with_entries(weighted_sum(problem, weights), [&](Index i, Index, double entry) {
    return entry / static_cast<double>(problem.options.causal ? i + 1 : problem.n());
  });
}

Matrix rows_of_length_one(const Problem& problem, const Matrix& weights) {
  Matrix output = weighted_sum(problem, weights);
  for (Index i = 0; i < output.rows; ++i) {
    double squares = 0;
    for (Index c = 0; c < output.columns; ++c) squares += output(i, c) * output(i, c);
    for (Index c = 0; c < output.columns; ++c) output(i, c) /= std::sqrt(squares);
  }
  return output;
}

Matrix row_sum_times_own_value(const Problem& problem, const Matrix& weights) {
  return with_entries(Matrix(problem.n(), problem.d_v()), [&](Index i, Index c, double) {
    double sum = 0;
    for (Index j = 0; j < problem.n(); ++j) sum += weights(i, j);
    return sum * problem.V(i, c);
  });
}

Matrix weights_as_output(const Problem& /*problem*/, const Matrix& weights) { return weights; }

Matrix features_summed(const Problem& problem, const Matrix& weights) {
  const Matrix output = weighted_sum(problem, weights);
  return with_entries(Matrix(output.rows, 1), [&](Index i, Index, double) {
    double sum = 0;
    for (Index c = 0; c < output.columns; ++c) sum += output(i, c);
    return sum;
  });
}

Matrix largest_weight_only(const Problem& problem, const Matrix& weights) {
  return with_entries(Matrix(problem.n(), problem.d_v()), [&](Index i, Index c, double) {
    Index largest = 0;
    for (Index j = 1; j < problem.n(); ++j) {
      if (weights(i, j) > weights(i, largest)) largest = j;
    }
    return problem.V(largest, c);
  });
}

// Mistakes in the weights that ignore Q and K altogether; their logits are right.

Matrix average_of_visible(const AttentionModel& /*model*/, const Problem& problem,
                          const Matrix& logits) {
  return with_entries(logits, [&](Index i, Index j, double) {
    if (!problem.visible(i, j)) return 0.0;
    return 1.0 / static_cast<double>(problem.options.causal ? i + 1 : problem.n());
  });
}

Matrix itself_only(const AttentionModel& /*model*/, const Problem& /*problem*/,
                   const Matrix& logits) {
  return with_entries(logits, [](Index i, Index j, double) { return i == j ? 1.0 : 0.0; });
}

Matrix symmetrised(const AttentionModel& model, const Problem& problem, const Matrix& logits) {
  const Matrix weights = softmax_of_rows(model, problem, logits);
  Matrix sums = with_entries(weights, [&](Index i, Index j, double weight) {
    return problem.visible(i, j) ? weight + weights(j, i) : 0.0;
  });
  for (Index i = 0; i < sums.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < sums.columns; ++j) sum += sums(i, j);
    for (Index j = 0; j < sums.columns; ++j) sums(i, j) /= sum;
  }
  return sums;
}

/// The arguments K and V are swapped where attention is called.
Problem keys_and_values_swapped(const Problem& problem) {
  return {problem.Q, problem.V, problem.K, problem.options};
}

}  // namespace

std::vector<Misconception> mixing_misconceptions() {
  return {
      {"P03",
       "weights transposed in the output: W^T·V",
       {kValues},
       {.output = weights_transposed},
       "Wᵀ·V asks how much others attend to a token. Output row i is Σ_j W(i, j)·V(j, ·): W·V "
       "without a transpose."},
      {"P04",
       "the keys are mixed: W·K",
       {kValues, kShapes},
       {.output = mix_keys},
       "The keys were mixed. Queries and keys decide the weights; what is mixed is the values: "
       "W·V."},
      {"P05",
       "the queries are mixed: W·Q",
       {kValues, kShapes},
       {.output = mix_queries},
       "The queries were mixed. Queries and keys decide the weights; what is mixed is the values: "
       "W·V."},
      {"P06",
       "operands swapped: V·W",
       {kValues, kShapes},
       {.output = values_times_weights},
       "The operands are in the wrong order. Output row i is Σ_j W(i, j)·V(j, ·): W·V."},
      {"P07",
       "the arguments K and V swapped",
       {kValues, kShapes, kScaling},
       {.inputs = keys_and_values_swapped},
       "K and V changed places in the call: the logits come from the values and the keys are "
       "mixed. The order is Q, K, V."},
      {"P10",
       "the output is transposed",
       {kShapes, kValues},
       {.output = output_transposed},
       "The output came out transposed. It has one row a token: n × d_v."},
      {"P11",
       "the token's own value is added",
       {kValues},
       {.output = residual_added},
       "The token's own value was added. Residual connections are part of a transformer block, not "
       "of attention: the output is W·V alone."},
      {"P16",
       "V(i, ·) instead of V(j, ·) in the sum",
       {kValues},
       {.output = own_value_instead_of_the_keys},
       "The inner sum uses the value of token i instead of token j, so that the weights drop out. "
       "It is Σ_j W(i, j)·V(j, c)."},
      {"P17",
       "averaged again over the visible tokens",
       {kValues},
       {.output = averaged_again},
       "The sum was divided by the number of visible tokens once more. The weights add up to one "
       "already: W·V is the average."},
      {"P18",
       "uniform average of the visible values",
       {kSoftmaxObjective},
       {.weights = average_of_visible},
       "All visible tokens get the same weight, so that queries and keys do not matter. The "
       "weights are the softmax of the logits."},
      {"P19",
       "V is returned: each token attends to itself",
       {kSoftmaxObjective},
       {.weights = itself_only},
       "Each token attends to itself alone, so that queries and keys do not matter. The weights "
       "are the softmax of the logits over all visible tokens."},
      {"P23",
       "output rows scaled to length one",
       {kValues},
       {.output = rows_of_length_one},
       "Output rows were scaled to length one. The output is W·V as it is."},
      {"P30",
       "weights symmetrised in place while being read",
       {kSoftmaxObjective},
       {.weights = symmetrised},
       "The weights were mixed with their own transpose, as happens when a matrix is overwritten "
       "while it is being read. Compute into a new matrix."},
      {"P33",
       "the row's sum of weights times the token's own value",
       {kValues},
       {.output = row_sum_times_own_value},
       "The sum of the weights multiplies the token's own value, so that the weights drop out. It "
       "is Σ_j W(i, j)·V(j, c)."},
      {"P37",
       "the weights returned as output",
       {kShapes, kValues},
       {.output = weights_as_output},
       "The weights were returned in the place of the output. The output is W·V."},
      {"P38",
       "output summed over its features",
       {kShapes, kValues},
       {.output = features_summed},
       "The output was summed over its features. It keeps all of them: n × d_v."},
      {"P40",
       "only the value with the largest weight is taken",
       {kValues},
       {.output = largest_weight_only},
       "Only the value with the largest weight is taken. The output is the weighted sum of all "
       "visible values."},
  };
}

}  // namespace attention_assignment::misconceptions
