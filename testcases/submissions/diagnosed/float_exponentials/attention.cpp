#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector &logits) {
  Eigen::RowVectorXf z = logits.cast<float>();
  z.array() -= z.maxCoeff();
  z = z.array().exp();
  z /= z.sum();
  return z.cast<double>();
}

AttentionRow attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  AttentionRow r;
  r.logits = Q.row(i) * K.transpose();
  if (options.scaled)
    r.logits /= std::sqrt((double)Q.cols());
  if (options.causal)
    r.logits.tail(K.rows() - i - 1).setConstant(-std::numeric_limits<double>::infinity());
  r.weights = softmax(r.logits);
  r.output = r.weights * V;
  return r;
}

Attention attention(const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
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
