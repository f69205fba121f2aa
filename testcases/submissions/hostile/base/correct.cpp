// Correct, in plain loops: an attack in here may keep the merit, and must not spoil a report.
#if __has_include("attack.hpp")
#include "attack.hpp"
#endif
#ifndef ATTACK
#define ATTACK(function)
#endif
#ifndef ATTACK_RESULT  // may change what a function is about to return
#define ATTACK_RESULT(result)
#endif
#ifndef ATTACK_INPUT  // may change what a function was given
#define ATTACK_INPUT(input)
#endif

#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ATTACK(0);
  ShapeLedger ledger{{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
  return ledger;
}

RowVector softmax(const RowVector& logits) {
  ATTACK(1);
  ATTACK_INPUT(logits);
  const Index n = logits.size();
  double largest = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < n; ++j) largest = std::max(largest, logits(j));
  RowVector weights(n);
  double sum = 0;
  for (Index j = 0; j < n; ++j) sum += weights(j) = std::exp(logits(j) - largest);
  for (Index j = 0; j < n; ++j) weights(j) /= sum;
  ATTACK_RESULT(weights);
  return weights;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  ATTACK(2);
  ATTACK_INPUT(Q);
  ATTACK_INPUT(K);
  ATTACK_INPUT(V);
  AttentionRow row;
  row.logits.resize(K.rows());
  for (Index j = 0; j < K.rows(); ++j) {
    double product = 0;
    for (Index c = 0; c < Q.cols(); ++c) product += Q(i, c) * K(j, c);
    if (options.scaled) product /= std::sqrt(static_cast<double>(Q.cols()));
    const bool masked = options.causal && j > i;
    row.logits(j) = masked ? -std::numeric_limits<double>::infinity() : product;
  }
  row.weights = softmax(row.logits);
  row.output.resize(V.cols());
  for (Index c = 0; c < V.cols(); ++c) {
    row.output(c) = 0;
    for (Index j = 0; j < V.rows(); ++j) row.output(c) += row.weights(j) * V(j, c);
  }
  ATTACK_RESULT(row);
  return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  ATTACK(3);
  ATTACK_INPUT(Q);
  ATTACK_INPUT(K);
  ATTACK_INPUT(V);
  Attention result;
  result.logits.resize(Q.rows(), K.rows());
  result.weights.resize(Q.rows(), K.rows());
  result.output.resize(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow row = attention_row(i, Q, K, V, options);
    for (Index j = 0; j < K.rows(); ++j) result.logits(i, j) = row.logits(j);
    for (Index j = 0; j < K.rows(); ++j) result.weights(i, j) = row.weights(j);
    for (Index c = 0; c < V.cols(); ++c) result.output(i, c) = row.output(c);
  }
  ATTACK_RESULT(result);
  return result;
}

static Matrix times(const Matrix& left, const Matrix& right) {
  Matrix product(left.rows(), right.cols());
  for (Index i = 0; i < left.rows(); ++i) {
    for (Index j = 0; j < right.cols(); ++j) {
      product(i, j) = 0;
      for (Index k = 0; k < left.cols(); ++k) product(i, j) += left(i, k) * right(k, j);
    }
  }
  return product;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  ATTACK(4);
  ATTACK_INPUT(X);
  return attention(times(X, projections.W_q), times(X, projections.W_k), times(X, projections.W_v),
                   options);
}

double entropy(const RowVector& weights) {
  ATTACK(5);
  double sum = 0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) > 0) sum -= weights(j) * std::log(weights(j));
  }
  ATTACK_RESULT(sum);
  return sum;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  ATTACK(6);
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  ATTACK(7);
  for (Index i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < weights.cols(); ++j) sum += weights(i, j);
    if (!(std::abs(sum - 1) <= 1e-9)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  ATTACK(8);
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (weights(i, j) != 0) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  ATTACK(9);
  for (Index i = 0; i < changed_token; ++i) {
    for (Index c = 0; c < before.cols(); ++c) {
      if (before(i, c) != after(i, c)) return false;
    }
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  ATTACK(10);
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    const RowVector scaled = scaled_weights.row(i);
    const RowVector unscaled = unscaled_weights.row(i);
    if (entropy(scaled) < entropy(unscaled) - 1e-9) return false;
  }
  return true;
}

}  // namespace attention
