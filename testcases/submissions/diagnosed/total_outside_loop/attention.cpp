#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <vector>

// whole matrices, step by step as on the blackboard

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger s;
  s.queries = {n, d_k};
  s.keys = {n, d_k};
  s.values = {n, d_v};
  s.logits = {n, n};
  s.weights = {n, n};
  s.output = {n, d_v};
  return s;
}

RowVector softmax(const RowVector& logits) {
  double max = logits(0);
  for (Index j = 1; j < logits.size(); ++j)
    if (logits(j) > max) max = logits(j);
  RowVector w(logits.size());
  double total = 0.0;
  for (Index j = 0; j < logits.size(); ++j) {
    w(j) = std::exp(logits(j) - max);
    total += w(j);
  }
  for (Index j = 0; j < logits.size(); ++j) w(j) /= total;
  return w;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  const Index d_k = Q.cols();
  const Index d_v = V.cols();

  // step 1: dot products
  Matrix S = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index c = 0; c < d_k; ++c) S(i, j) += Q(i, c) * K(j, c);

  // step 2: scale
  if (options.scaled) {
    const double root = std::sqrt(static_cast<double>(d_k));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) S(i, j) /= root;
  }

  // step 3: mask
  if (options.causal) {
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) S(i, j) = -std::numeric_limits<double>::infinity();
  }

  // step 4: softmax of each row
  Matrix P = Matrix::Zero(n, n);
  double total = 0.0;
  for (Index i = 0; i < n; ++i) {
    double max = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n; ++j) max = std::max(max, S(i, j));
    for (Index j = 0; j < n; ++j) {
      P(i, j) = std::exp(S(i, j) - max);
      total += P(i, j);
    }
    for (Index j = 0; j < n; ++j) P(i, j) /= total;
  }

  // step 5: mix the values
  Matrix O = Matrix::Zero(n, d_v);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index t = 0; t < d_v; ++t) O(i, t) += P(i, j) * V(j, t);

  return Attention{S, P, O};
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention all = attention(Q, K, V, options);
  AttentionRow row;
  row.logits = all.logits.row(i);
  row.weights = all.weights.row(i);
  row.output = all.output.row(i);
  return row;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const Matrix Q = X * projections.W_q;
  const Matrix K = X * projections.W_k;
  const Matrix V = X * projections.W_v;
  return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) <= 0.0) continue;
    h -= weights(j) * std::log(weights(j));
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const Index n = Q.rows();
  return K.rows() == n && result.logits.rows() == n && result.logits.cols() == n &&
         result.weights.rows() == n && result.weights.cols() == n && result.output.rows() == n &&
         result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const double sum = weights.row(i).sum();
    if (!(std::abs(sum - 1.0) < 1e-9)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (!(std::abs(weights(i, j)) < 1e-12)) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    for (Index t = 0; t < before.cols(); ++t)
      if (!(std::abs(before(i, t) - after(i, t)) < 1e-12)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-12) return false;
  return true;
}

}  // namespace attention
