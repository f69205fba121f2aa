#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector &logits) {
  const RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

Attention attention(const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  const Index last = Q.rows() - 1;
  Attention a;
  a.logits.setZero(Q.rows(), K.rows());
  a.weights.setZero(Q.rows(), K.rows());
  a.output.setZero(Q.rows(), V.cols());
  for (Index i = 0; i < last; ++i) {
    for (Index j = 0; j < K.rows(); ++j)
      a.logits(i, j) = options.causal && j > i ? -std::numeric_limits<double>::infinity() : Q.row(i).dot(K.row(j));
    a.weights.row(i) = softmax(a.logits.row(i));
    a.output.row(i) = a.weights.row(i) * V;
  }
  return a;
}

AttentionRow attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  const Attention a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

Attention self_attention(const Matrix &X, const Projections &p, const Options &options) {
  Matrix q(X * p.W_q), k(X * p.W_k), v(X * p.W_v);
  return attention(q, k, v, options);
}

double entropy(const RowVector &weights) {
  long double h = 0.0L;
  for (double w : weights)
    h += w > 0 ? -(long double)w * std::log((long double)w) : 0.0L;
  return (double)h;
}

// ---- the assertions -------------------------------------------------------

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

bool output_shapes_match(const Attention &result, const Matrix &Q, const Matrix &K, const Matrix &V) {
  bool ok = true;
  ok &= result.logits.rows() == Q.rows();
  ok &= result.logits.cols() == K.rows();
  ok &= result.weights.rows() == Q.rows();
  ok &= result.weights.cols() == K.rows();
  ok &= result.output.rows() == Q.rows();
  ok &= result.output.cols() == V.cols();
  return ok;
}

bool rows_sum_to_one(const Matrix &weights) {
  int bad = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    long double sum = 0;
    for (Index j = 0; j < weights.cols(); ++j)
      sum += weights(i, j);
    const bool fine = sum > 1 - 1e-7L && sum < 1 + 1e-7L;
    bad += fine ? 0 : 1;
  }
  return bad == 0;
}

bool future_weights_are_zero(const Matrix &weights) {
  double largest = 0;
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = weights.cols() - 1; j > i; --j) {
      if (std::isnan(weights(i, j)))
        return false;
      largest = std::max(largest, std::fabs(weights(i, j)));
    }
  return largest < 1e-15;
}

bool past_outputs_unchanged(const Matrix &before, const Matrix &after, Index changed_token) {
  double difference = 0;
  for (Index i = 0; i < changed_token; ++i)
    difference += (before.row(i) - after.row(i)).cwiseAbs().sum();
  return difference < 1e-10;
}

bool scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights) {
  int lower = 0;
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    RowVector a = scaled_weights.row(i), b = unscaled_weights.row(i);
    if (entropy(a) + 1e-9 < entropy(b))
      lower++;
  }
  return !lower;
}

} // namespace attention
