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

}  // namespace

std::vector<Misconception> scale_misconceptions() {
  return {
      {"S01", "no scaling", {kScaling}, {.scale = leave_unscaled}},
      {"S02",
       "divided by d_k instead of its root",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / features(p); })},
      {"S03", "divided by the root of n", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::sqrt(tokens(p));
       })},
      {"S04", "divided by the root of d_v", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::sqrt(static_cast<double>(p.d_v()));
       })},
      {"S05", "multiplied by the root of d_k", {kScaling}, multiplying_by([](const Problem& p) {
         return std::sqrt(features(p));
       })},
      {"S06",
       "the weights are scaled instead of the logits",
       {kScaling, kSoftmaxObjective},
       {.scale = leave_unscaled, .weights = scale_the_weights}},
      {"S07", "root of d_k cut to an integer", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::floor(std::sqrt(features(p)));
       })},
      {"S08",
       "integer division: 1 / int(root of d_k) is 0",
       {kScaling},
       multiplying_by([](const Problem& p) {
         return static_cast<double>(1 / static_cast<int>(std::sqrt(features(p))));
       })},
      {"S09",
       "pow(d_k, 1/2) with the integer 1/2 = 0",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::pow(features(p), 1 / 2); })},
      {"S10", "scaled twice", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::sqrt(features(p)) / std::sqrt(features(p));
       })},
      {"S11", "scale hard-coded for d_k = 64", {kScaling}, multiplying_by([](const Problem&) {
         return 0.125;
       })},
      {"S12",
       "fourth root of d_k on one operand only",
       {kScaling},
       multiplying_by([](const Problem& p) { return 1 / std::sqrt(std::sqrt(features(p))); })},
      {"S13", "divided by n", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / tokens(p);
       })},
      {"S14", "divided by the root of Q.size()", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::sqrt(tokens(p) * features(p));
       })},
      {"S15", "the output is scaled too", {kValues}, {.output = scale_the_output}},
      {"S16",
       "the exponentials are scaled, which cancels",
       {kScaling},
       {.scale = leave_unscaled, .weights = scale_the_exponentials}},
      {"S17",
       "only the subtracted maximum is scaled",
       {kScaling, kSoftmaxObjective},
       {.scale = leave_unscaled, .weights = scale_the_maximum}},
      {"S19", "divided by log(d_k + 1)", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / std::log(features(p) + 1);
       })},
      {"S20", "divided by the square of d_k", {kScaling}, multiplying_by([](const Problem& p) {
         return 1 / (features(p) * features(p));
       })},
      {"S21", "sign error: minus the dot product", {kScaling}, multiplying_by([](const Problem& p) {
         return -1 / std::sqrt(features(p));
       })},
  };
}

}  // namespace attention_assignment::misconceptions
