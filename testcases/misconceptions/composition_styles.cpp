// Correct styles that arrange the stages differently, and assertions of different strictness.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "testcases/misconceptions/models.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double features(const Problem& problem) { return static_cast<double>(problem.d_k()); }

/// The products of Q and K, both times d_k^(-1/4).
Matrix products_of_scaled_operands(const Problem& problem) {
  Problem scaled = problem;
  const double factor = problem.options.scaled ? std::pow(features(problem), -0.25) : 1.0;
  for (double& entry : scaled.Q.entries) entry *= factor;
  for (double& entry : scaled.K.entries) entry *= factor;
  return dot_products(scaled);
}

/// exp(z - (maximum + log of the sum)).
RowVector log_sum_exp(RowVector logits) {
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  double sum = 0;
  for (double logit : logits.entries) sum += std::exp(logit - maximum);
  for (double& logit : logits.entries) logit = std::exp(logit - (maximum + std::log(sum)));
  return logits;
}

double sum_of(const RowVector& row) {
  double sum = 0;
  for (double entry : row.entries) sum += entry;
  return sum;
}

/// Weighted sums of un-normalised exponentials, divided once at the end.
AttentionResult normalise_at_the_end(const AttentionModel& model, const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  for (Index i = 0; i < problem.n(); ++i) {
    const RowVector logits = row_of(result.logits, i);
    const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
    std::vector<double> sums(static_cast<std::size_t>(problem.d_v()), 0.0);
    double sum = 0;
    for (Index j = 0; j < problem.n(); ++j) {
      if (!problem.visible(i, j)) continue;
      const double power = std::exp(logits(j) - maximum);
      sum += power;
      for (Index c = 0; c < problem.d_v(); ++c) {
        sums[static_cast<std::size_t>(c)] += power * problem.V(j, c);
      }
    }
    for (Index c = 0; c < problem.d_v(); ++c) {
      result.output(i, c) = sums[static_cast<std::size_t>(c)] / sum;
    }
  }
  return result;
}

/// output += (value - output) · share: a running mean that never forms the weighted sum.
AttentionResult running_mean(const AttentionModel& model, const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  for (Index i = 0; i < problem.n(); ++i) {
    const RowVector logits = row_of(result.logits, i);
    const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
    double sum = 0;
    for (Index c = 0; c < problem.d_v(); ++c) result.output(i, c) = 0;
    for (Index j = 0; j < problem.n(); ++j) {
      const double power = problem.visible(i, j) ? std::exp(logits(j) - maximum) : 0.0;
      if (power == 0) continue;
      sum += power;
      for (Index c = 0; c < problem.d_v(); ++c) {
        result.output(i, c) += (problem.V(j, c) - result.output(i, c)) * (power / sum);
      }
    }
  }
  return result;
}

/// The returned logits are q·k/√d_k; the softmax works on (q·k - max)/√d_k.
AttentionResult difference_then_scale(const AttentionModel& model, const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  const Matrix products = mask_future(problem, model.product(problem));
  const double root = problem.options.scaled ? std::sqrt(features(problem)) : 1.0;
  for (Index i = 0; i < problem.n(); ++i) {
    const RowVector row = row_of(products, i);
    const double maximum = *std::max_element(row.entries.begin(), row.entries.end());
    double sum = 0;
    for (Index j = 0; j < problem.n(); ++j) {
      result.weights(i, j) = std::exp((products(i, j) - maximum) / root);
      sum += result.weights(i, j);
    }
    for (Index j = 0; j < problem.n(); ++j) result.weights(i, j) /= sum;
  }
  result.output = model.output(problem, result.weights);
  return result;
}

/// The returned logits and the scores that make the weights are computed in two ways.
AttentionResult logits_computed_twice(const AttentionModel& model, const Problem& problem) {
  AttentionResult result;
  result.logits = mask_future(problem, divide_by_root_of_features(problem, dot_products(problem)));
  const Matrix scores = mask_future(problem, products_of_scaled_operands(problem));
  result.weights = model.weights(model, problem, scores);
  result.output = model.output(problem, result.weights);
  return result;
}

/// attention_row written on its own, with other roundings than attention().
AttentionRowResult row_by_itself(const AttentionModel& /*model*/, Index i, const Problem& problem) {
  AttentionRowResult row;
  const double factor = problem.options.scaled ? 1 / std::sqrt(features(problem)) : 1.0;
  for (Index j = 0; j < problem.n(); ++j) {
    double sum = 0;
    for (Index c = problem.d_k() - 1; c >= 0; --c) {
      sum += problem.Q(i, c) * problem.K(j, c);
    }
    row.logits.entries.push_back(problem.visible(i, j) ? sum * factor : -kInfinity);
  }
  row.weights = log_sum_exp(row.logits);
  for (Index c = 0; c < problem.d_v(); ++c) {
    double sum = 0;
    for (Index j = problem.n() - 1; j >= 0; --j) sum += row.weights(j) * problem.V(j, c);
    row.output.entries.push_back(sum);
  }
  return row;
}

/// Loops over the visible keys only; what they skip keeps its -inf or 0.
AttentionResult visible_loops(const AttentionModel& /*model*/, const Problem& problem) {
  const Index n = problem.n();
  AttentionResult result{Matrix(n, n, -kInfinity), Matrix(n, n), Matrix(n, problem.d_v())};
  const double root = problem.options.scaled ? std::sqrt(features(problem)) : 1.0;
  for (Index i = 0; i < n; ++i) {
    const Index visible = problem.options.causal ? i + 1 : n;
    double maximum = std::numeric_limits<double>::lowest();
    for (Index j = 0; j < visible; ++j) {
      double sum = 0;
      for (Index c = 0; c < problem.d_k(); ++c) {
        sum = std::fma(problem.Q(i, c), problem.K(j, c), sum);
      }
      result.logits(i, j) = sum / root;
      maximum = std::max(maximum, result.logits(i, j));
    }
    double total = 0;
    for (Index j = 0; j < visible; ++j) {
      total += result.weights(i, j) = std::exp(result.logits(i, j) - maximum);
    }
    for (Index j = 0; j < visible; ++j) {
      result.weights(i, j) /= total;
      for (Index c = 0; c < problem.d_v(); ++c) {
        result.output(i, c) += result.weights(i, j) * problem.V(j, c);
      }
    }
  }
  return result;
}

/// Assertions with the narrowest and the widest tolerances that an honest student may choose.
AttentionModel asserting_with(double tolerance, double exact) {
  AttentionModel model;
  model.rows_sum_to_one = [tolerance](const Matrix& weights) {
    for (Index i = 0; i < weights.rows; ++i) {
      if (!(std::abs(sum_of(row_of(weights, i)) - 1) <= tolerance)) return false;
    }
    return true;
  };
  model.future_weights_are_zero = [exact](const Matrix& weights) {
    for (Index i = 0; i < weights.rows; ++i) {
      for (Index j = i + 1; j < weights.columns; ++j) {
        if (!(std::abs(weights(i, j)) <= exact)) return false;
      }
    }
    return true;
  };
  model.past_outputs_unchanged = [exact](const Matrix& before, const Matrix& after, Index token) {
    for (Index i = 0; i < token; ++i) {
      for (Index c = 0; c < before.columns; ++c) {
        if (!(std::abs(before(i, c) - after(i, c)) <= exact)) return false;
      }
    }
    return true;
  };
  model.scaling_raises_entropy = [exact](const AttentionModel&, const Matrix& scaled,
                                         const Matrix& unscaled) {
    for (Index i = 0; i < scaled.rows; ++i) {
      if (!(entropy_in_nats(row_of(scaled, i)) >= entropy_in_nats(row_of(unscaled, i)) - exact)) {
        return false;
      }
    }
    return true;
  };
  return model;
}

}  // namespace

std::vector<CorrectStyle> composition_styles() {
  return {
      {"visible_loops", "loops over the visible keys only, fused", {.attention = visible_loops}},
      {"difference_then_scale",
       "(product - maximum) / root in the exponent",
       {.attention = difference_then_scale}},
      {"logits_computed_twice",
       "returned logits and used scores computed in two ways",
       {.attention = logits_computed_twice}},
      {"delayed_normalisation",
       "output divided by the sum at the end",
       {.attention = normalise_at_the_end}},
      {"running_mean", "output as a running mean", {.attention = running_mean}},
      {"separate_row", "attention_row written on its own", {.attention_row = row_by_itself}},
      {"strict_assertions", "assertions with 1e-12 and ==", asserting_with(1e-12, 0)},
      {"lenient_assertions", "assertions with 1e-6", asserting_with(1e-6, 1e-7)},
  };
}

}  // namespace attention_assignment::misconceptions
