// Correct styles of one stage: scaling, masking, softmax, entropy.
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

}  // namespace

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
      {"entropy_base_two", "entropy through log2", {.entropy = entropy_by_base_two}},
      {"entropy_of_inverse", "entropy as w·log(1/w)", {.entropy = entropy_by_logarithm_of_inverse}},
  };
}

}  // namespace attention_assignment::misconceptions
