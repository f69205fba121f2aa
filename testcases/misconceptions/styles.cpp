// Correct implementations that compute in different ways. None of them may lose a point.
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

/// Σ_c term(c) for c < count, in some order or with some care.
using Summation = double (*)(const std::vector<double>& terms);

double forwards(const std::vector<double>& terms) {
  double sum = 0;
  for (double term : terms) sum += term;
  return sum;
}

double backwards(const std::vector<double>& terms) {
  double sum = 0;
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) sum += *term;
  return sum;
}

double pairwise_range(const double* first, std::size_t count) {
  if (count == 0) return 0;
  if (count == 1) return *first;
  const std::size_t half = count / 2;
  return pairwise_range(first, half) + pairwise_range(first + half, count - half);
}

double pairwise(const std::vector<double>& terms) {
  return pairwise_range(terms.data(), terms.size());
}

double compensated(const std::vector<double>& terms) {
  double sum = 0;
  double lost = 0;
  for (double term : terms) {
    const double corrected = term - lost;
    const double next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
  return sum;
}

double four_lanes(const std::vector<double>& terms) {
  double lanes[4] = {0, 0, 0, 0};
  for (std::size_t c = 0; c < terms.size(); ++c) lanes[c % 4] += terms[c];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

double in_long_double(const std::vector<double>& terms) {
  long double sum = 0;
  for (double term : terms) sum += static_cast<long double>(term);
  return static_cast<double>(sum);
}

/// Every sum of the implementation taken by `add`.
AttentionModel summing(Summation add) {
  AttentionModel model;
  model.product = [add](const Problem& problem) {
    std::vector<double> terms(static_cast<std::size_t>(problem.d_k()));
    return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
      for (Index c = 0; c < problem.d_k(); ++c) {
        terms[static_cast<std::size_t>(c)] = problem.Q(i, c) * problem.K(j, c);
      }
      return add(terms);
    });
  };
  model.softmax = [add](const RowVector& logits) {
    const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
    RowVector weights = logits;
    for (double& weight : weights.entries) weight = std::exp(weight - maximum);
    const double sum = add(weights.entries);
    for (double& weight : weights.entries) weight /= sum;
    return weights;
  };
  model.output = [add](const Problem& problem, const Matrix& weights) {
    std::vector<double> terms(static_cast<std::size_t>(problem.n()));
    return with_entries(Matrix(problem.n(), problem.d_v()), [&](Index i, Index c, double) {
      for (Index j = 0; j < problem.n(); ++j) {
        terms[static_cast<std::size_t>(j)] = weights(i, j) * problem.V(j, c);
      }
      return add(terms);
    });
  };
  model.entropy = [add](const RowVector& weights) {
    std::vector<double> terms;
    for (double weight : weights.entries) {
      if (weight > 0) terms.push_back(-weight * std::log(weight));
    }
    return add(terms);
  };
  return model;
}

Matrix multiplied(Matrix matrix, double factor) {
  for (double& entry : matrix.entries) entry *= factor;
  return matrix;
}

Matrix keep(const Problem& /*problem*/, Matrix matrix) { return matrix; }

/// Q divided by √d_k before the product.
Matrix products_of_scaled_queries(const Problem& problem) {
  if (!problem.options.scaled) return dot_products(problem);
  Matrix queries = problem.Q;
  for (double& entry : queries.entries) entry /= std::sqrt(features(problem));
  return dot_products(Problem{std::move(queries), problem.K, problem.V, problem.options});
}

/// Q and K both times d_k^(-1/4).
Matrix products_of_scaled_operands(const Problem& problem) {
  if (!problem.options.scaled) return dot_products(problem);
  const double factor = std::pow(features(problem), -0.25);
  return dot_products(Problem{multiplied(problem.Q, factor), multiplied(problem.K, factor),
                              problem.V, problem.options});
}

Matrix times_inverse_root(const Problem& problem, Matrix products) {
  return problem.options.scaled ? multiplied(std::move(products), 1 / std::sqrt(features(problem)))
                                : products;
}

Matrix times_power(const Problem& problem, Matrix products) {
  return problem.options.scaled ? multiplied(std::move(products), std::pow(features(problem), -0.5))
                                : products;
}

Matrix add_mask(const Problem& problem, Matrix scores) {
  return with_entries(std::move(scores), [&](Index i, Index j, double score) {
    return score + (problem.visible(i, j) ? 0.0 : -kInfinity);
  });
}

RowVector times_inverse_sum(const RowVector& logits) {
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  RowVector weights = logits;
  double sum = 0;
  for (double& weight : weights.entries) sum += weight = std::exp(weight - maximum);
  const double inverse = 1 / sum;
  for (double& weight : weights.entries) weight *= inverse;
  return weights;
}

RowVector powers_of_two(const RowVector& logits) {
  const double kLog2E = 1.4426950408889634074;
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  RowVector weights = logits;
  double sum = 0;
  for (double& weight : weights.entries) {
    weight = std::exp2((weight - maximum) * kLog2E);
    sum += weight;
  }
  for (double& weight : weights.entries) weight /= sum;
  return weights;
}

RowVector log_sum_exp(const RowVector& logits) {
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  double sum = 0;
  for (double logit : logits.entries) sum += std::exp(logit - maximum);
  const double log_sum = maximum + std::log(sum);
  RowVector weights = logits;
  for (double& weight : weights.entries) weight = std::exp(weight - log_sum);
  return weights;
}

RowVector softmax_in_long_double(const RowVector& logits) {
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  std::vector<long double> powers;
  long double sum = 0;
  for (double logit : logits.entries) {
    powers.push_back(std::exp(static_cast<long double>(logit) - maximum));
    sum += powers.back();
  }
  RowVector weights = logits;
  for (std::size_t j = 0; j < powers.size(); ++j) {
    weights.entries[j] = static_cast<double>(powers[j] / sum);
  }
  return weights;
}

/// One pass: the sum is rescaled whenever a larger logit turns up.
RowVector online_softmax(const RowVector& logits) {
  double maximum = -kInfinity;
  double sum = 0;
  for (double logit : logits.entries) {
    if (logit == -kInfinity) continue;
    if (logit > maximum) {
      sum = maximum == -kInfinity ? 0 : sum * std::exp(maximum - logit);
      maximum = logit;
    }
    sum += std::exp(logit - maximum);
  }
  RowVector weights = logits;
  for (double& weight : weights.entries) weight = std::exp(weight - maximum) / sum;
  return weights;
}

/// The vectorised exp of Eigen 3.4 never returns less than 5.56e-309, not even for -inf.
RowVector clamped_exponential(const RowVector& logits) {
  const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
  RowVector weights = logits;
  double sum = 0;
  for (double& weight : weights.entries) {
    weight = std::exp(std::max(weight - maximum, -709.784));
    sum += weight;
  }
  for (double& weight : weights.entries) weight /= sum;
  return weights;
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
      if (!(std::abs(forwards(row_of(weights, i).entries) - 1) <= tolerance)) return false;
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

double entropy_by_base_two(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) {
    if (weight > 1e-300) sum += weight * std::log2(weight);
  }
  return -sum * 0.69314718055994530942;
}

double entropy_by_logarithm_of_inverse(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) sum += weight > 0 ? weight * std::log(1 / weight) : 0;
  return sum;
}

std::vector<CorrectStyle> summation_styles() {
  return {
      {"loops", "plain loops", {}},
      {"reversed_sums", "every sum taken backwards", summing(backwards)},
      {"pairwise_sums", "every sum taken pairwise", summing(pairwise)},
      {"compensated_sums", "Kahan's summation", summing(compensated)},
      {"four_lanes", "sums in four lanes, as vector units do", summing(four_lanes)},
      {"long_double_sums", "sums in long double", summing(in_long_double)},
      {"visible_loops", "loops over the visible keys only, fused", {.attention = visible_loops}},
  };
}

std::vector<CorrectStyle> logits_styles() {
  return {
      {"scaled_queries",
       "queries divided by the root before the product",
       {.product = products_of_scaled_queries, .scale = keep}},
      {"scaled_operands",
       "both operands times d_k^(-1/4)",
       {.product = products_of_scaled_operands, .scale = keep}},
      {"inverse_root",
       "times 1/root and times 1/sum",
       {.scale = times_inverse_root, .softmax = times_inverse_sum}},
      {"power", "times pow(d_k, -0.5)", {.scale = times_power}},
      {"added_mask", "a mask of 0 and -inf is added", {.mask = add_mask}},
      {"difference_then_scale",
       "(product - maximum) / root in the exponent",
       {.attention = difference_then_scale}},
      {"logits_computed_twice",
       "returned logits and used scores computed in two ways",
       {.attention = logits_computed_twice}},
  };
}

std::vector<CorrectStyle> softmax_styles() {
  return {
      {"online_softmax", "online softmax", {.softmax = online_softmax}},
      {"log_sum_exp", "exp(z - log-sum-exp)", {.softmax = log_sum_exp}},
      {"powers_of_two", "exp2 with log2(e)", {.softmax = powers_of_two}},
      {"long_double_softmax", "softmax in long double", {.softmax = softmax_in_long_double}},
      {"clamped_exponential",
       "masked weights of 5.56e-309, as Eigen's vector exp gives",
       {.softmax = clamped_exponential}},
  };
}

std::vector<CorrectStyle> output_styles() {
  return {
      {"delayed_normalisation",
       "output divided by the sum at the end",
       {.attention = normalise_at_the_end}},
      {"running_mean", "output as a running mean", {.attention = running_mean}},
      {"separate_row", "attention_row written on its own", {.attention_row = row_by_itself}},
      {"entropy_base_two", "entropy through log2", {.entropy = entropy_by_base_two}},
      {"entropy_of_inverse", "entropy as w·log(1/w)", {.entropy = entropy_by_logarithm_of_inverse}},
      {"strict_assertions", "assertions with 1e-12 and ==", asserting_with(1e-12, 0)},
      {"lenient_assertions", "assertions with 1e-6", asserting_with(1e-6, 1e-7)},
  };
}

}  // namespace

std::vector<CorrectStyle> correct_styles() {
  std::vector<CorrectStyle> all;
  for (auto& group : {summation_styles(), logits_styles(), softmax_styles(), output_styles()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace attention_assignment::misconceptions
