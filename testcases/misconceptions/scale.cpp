// Mistakes in scaling the dot products. All respect `scaled` = false; see options.cpp for those
// that do not.
#include <cmath>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

double features(const Problem& problem) { return static_cast<double>(problem.d_k()); }
double tokens(const Problem& problem) { return static_cast<double>(problem.n()); }

/// Multiplies the products by `factor(problem)`.
template <typename Factor>
AttentionModel multiplying_by(Factor factor) {
  AttentionModel model;
  model.scale = [factor](const Problem& problem, Matrix products) {
    if (!problem.options.scaled) return products;
    const double by = factor(problem);
    for (double& product : products.entries) product *= by;
    return products;
  };
  return model;
}

Matrix leave_unscaled(const Problem& /*problem*/, Matrix products) { return products; }

Matrix divided_by_root(const Problem& problem, Matrix matrix) {
  return divide_by_root_of_features(problem, std::move(matrix));
}

Matrix scale_the_weights(const AttentionModel& model, const Problem& problem,
                         const Matrix& logits) {
  return divided_by_root(problem, softmax_of_rows(model, problem, logits));
}

Matrix scale_the_output(const Problem& problem, const Matrix& weights) {
  return divided_by_root(problem, weighted_sum(problem, weights));
}

/// exp(s) / sqrt(d_k): the factor cancels when the row is normalised.
Matrix scale_the_exponentials(const AttentionModel& /*model*/, const Problem& problem,
                              const Matrix& logits) {
  const double root = problem.options.scaled ? std::sqrt(features(problem)) : 1.0;
  Matrix weights = logits;
  for (std::int64_t i = 0; i < logits.rows; ++i) {
    double maximum = logits(i, 0);
    for (std::int64_t j = 0; j < logits.columns; ++j) maximum = std::fmax(maximum, logits(i, j));
    double sum = 0;
    for (std::int64_t j = 0; j < logits.columns; ++j) {
      weights(i, j) = std::exp(logits(i, j) - maximum) / root;
      sum += weights(i, j);
    }
    for (std::int64_t j = 0; j < logits.columns; ++j) weights(i, j) /= sum;
  }
  return weights;
}

/// exp(s - m / sqrt(d_k)): precedence scales the maximum only.
Matrix scale_the_maximum(const AttentionModel& /*model*/, const Problem& problem,
                         const Matrix& logits) {
  const double root = problem.options.scaled ? std::sqrt(features(problem)) : 1.0;
  Matrix weights = logits;
  for (std::int64_t i = 0; i < logits.rows; ++i) {
    double maximum = logits(i, 0);
    for (std::int64_t j = 0; j < logits.columns; ++j) maximum = std::fmax(maximum, logits(i, j));
    double sum = 0;
    for (std::int64_t j = 0; j < logits.columns; ++j) {
      weights(i, j) = std::exp(logits(i, j) - maximum / root);
      sum += weights(i, j);
    }
    for (std::int64_t j = 0; j < logits.columns; ++j) weights(i, j) /= sum;
  }
  return weights;
}

std::vector<AttentionModel> dividing_by_roots_of(const std::vector<double>& sizes) {
  std::vector<AttentionModel> models;
  for (const double size : sizes) {
    models.push_back(multiplying_by([size](const Problem&) { return 1 / std::sqrt(size); }));
  }
  return models;
}

Matrix softmax_of_scaled(const AttentionModel& model, const Problem& problem,
                         const Matrix& logits) {
  return softmax_of_rows(model, problem, divided_by_root(problem, logits));
}

/// The sign is wrong whether scaled or not.
Matrix negated(const Problem& problem, Matrix products) {
  return with_entries(divided_by_root(problem, std::move(products)),
                      [](std::int64_t, std::int64_t, double score) { return -score; });
}

}  // namespace

std::vector<Misconception> scale_misconceptions() {
  return {
      {"S01",
       "no scaling",
       {kScaling},
       {.scale = leave_unscaled},
       "The dot products reach the softmax as they are. Their variance grows like d_k, so the "
       "softmax saturates; divide by √d_k to keep the standard deviation near one."},
      {"S02",
       "divided by d_k instead of its root",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / features(p); }),
       "d_k is the variance of the dot product, not its standard deviation. Dividing by d_k makes "
       "the logits too small and the weights too even; divide by √d_k."},
      {"S03",
       "divided by the root of n",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::sqrt(tokens(p)); }),
       "√n depends on how many tokens there are. What has to be evened out is the number of terms "
       "in each dot product, which is d_k, the columns of Q."},
      {"S04",
       "divided by the root of d_v",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::sqrt(static_cast<double>(p.d_v())); }),
       "The values take no part in the dot product, so d_v cannot be its scale. Divide by √d_k, "
       "the root of the columns of Q and K."},
      {"S05",
       "multiplied by the root of d_k",
       {kScaling},
       multiplying_by([](const Problem& p) { return std::sqrt(features(p)); }),
       "Multiplying makes the logits d_k times larger than they should be, so the softmax "
       "saturates at once. Divide by √d_k."},
      {"S06",
       "the weights are scaled instead of the logits",
       {kScaling, kSoftmaxObjective},
       {.scale = leave_unscaled, .weights = scale_the_weights},
       "The scale has to act before the softmax, on the logits: it changes how even the weights "
       "are. Dividing the weights afterwards only makes rows that no longer sum to one."},
      {"S07",
       "root of d_k cut to an integer",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::floor(std::sqrt(features(p))); }),
       "√d_k was cut to an integer, so 5 features are divided by 2 instead of 2.236. Use a double "
       "for the root: std::sqrt(static_cast<double>(d_k)).",
       {multiplying_by([](const Problem& p) { return 1 / std::round(std::sqrt(features(p))); }),
        multiplying_by([](const Problem& p) { return 1 / std::ceil(std::sqrt(features(p))); })}},
      {"S08",
       "integer division: 1 / int(root of d_k) is 0",
       {kScaling},
       multiplying_by([](const Problem& p) {
         // NOLINTNEXTLINE(bugprone-integer-division): the mistake itself
         return static_cast<double>(1 / static_cast<int>(std::sqrt(features(p))));
       }),
       "1 / √d_k is computed in integers and is 0 as soon as d_k ≥ 4, which makes all weights of a "
       "row equal. Write 1.0 / std::sqrt(static_cast<double>(d_k)).",
       {multiplying_by([](const Problem& p) { return p.d_k() == 1 ? 1.0 : 0.0; })}},
      {"S09",
       "pow(d_k, 1/2) with the integer 1/2 = 0",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::pow(features(p), 1 / 2); }),
       "In C++ 1/2 is an integer division and gives 0, and d_k to the power 0 is 1: nothing is "
       "scaled. Write std::sqrt(d_k) or 0.5."},
      {"S10",
       "scaled twice",
       {kScaling},
       multiplying_by(
           [](const Problem& p) { return 1 / std::sqrt(features(p)) / std::sqrt(features(p)); }),
       "The scale acts twice, so that the logits are divided by d_k altogether. Scale once: either "
       "one operand or the product, by √d_k."},
      {"S11",
       "scale hard-coded for one size such as d_k = 64",
       {kScaling},
       multiplying_by([](const Problem&) { return 0.125; }),
       "The divisor is a constant that fits one size of features only. Compute it from the columns "
       "of Q: √d_k.",
       dividing_by_roots_of({2, 3, 4, 8, 16, 32, 128, 256, 512})},
      {"S12",
       "fourth root of d_k on one operand only",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::sqrt(std::sqrt(features(p))); }),
       "The fourth root works when both operands are divided by it. On one operand, or on the "
       "product, it has to be the square root of d_k."},
      {"S13",
       "divided by n",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / tokens(p); }),
       "n is the number of tokens. The scale follows from the terms of one dot product: √d_k, with "
       "d_k the columns of Q."},
      {"S14",
       "divided by the root of Q.size()",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::sqrt(tokens(p) * features(p)); }),
       "Q.size() counts all entries, n·d_k. The scale is √d_k: use Q.cols()."},
      {"S15",
       "the output is scaled too",
       {kValues},
       {.output = scale_the_output},
       "The scale belongs to the logits alone. An output row is a weighted average of values and "
       "is returned as it is."},
      {"S16",
       "the exponentials are scaled, which cancels",
       {kScaling},
       {.scale = leave_unscaled, .weights = scale_the_exponentials},
       "A factor on all exponentials of a row cancels when the row is divided by its sum, so "
       "nothing is scaled. Divide the logits by √d_k before the exponential."},
      {"S17",
       "only the subtracted maximum is scaled",
       {kScaling, kSoftmaxObjective},
       {.scale = leave_unscaled, .weights = scale_the_maximum},
       "The division binds to the maximum alone: exp(s - m/√d_k). The whole difference has to be "
       "divided, exp((s - m)/√d_k), or the logits before that."},
      {"S19",
       "divided by log(d_k + 1)",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::log(features(p) + 1); }),
       "The scale is the standard deviation of a dot product of d_k terms, which is √d_k. A "
       "logarithm grows far too slowly."},
      {"S20",
       "divided by the square of d_k",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / (features(p) * features(p)); }),
       "The logits are divided by d_k², which makes the weights all but equal. Divide by √d_k."},
      {"S21",
       "sign error: minus the dot product",
       {kScaling},
       multiplying_by([](const Problem& p) { return -1 / std::sqrt(features(p)); }),
       "The sign is turned round: the keys that fit worst get the largest weights. A logit is "
       "+q_i·k_j/√d_k.",
       {{.scale = negated}}},
      {"S22",
       "the logits are returned before scaling; the weights are right",
       {kScaling, kSoftmaxObjective},
       {.scale = leave_unscaled, .weights = softmax_of_scaled},
       "The weights are right, but the logits you return are those from before the division. The "
       "contract asks for what the softmax is given: divided by √d_k."},
  };
}

}  // namespace attention_assignment::misconceptions
