#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

// scores of every query with every key
static Matrix scores(const Matrix& Q, const Matrix& K, const Options& options) {
  Matrix s = Q * K.transpose();
  // mask the future
  if (options.causal)
    for (Index i = 0; i < s.rows(); ++i)
      for (Index j = i + 1; j < s.cols(); ++j) s(i, j) = -std::numeric_limits<double>::infinity();
  return s;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits = scores(Q, K, options);
  a.weights = a.logits;
  for (Index i = 0; i < a.weights.rows(); ++i) a.weights.row(i) = softmax(a.logits.row(i));
  a.output = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& p, const Options& options) {
  return attention(X * p.W_q, X * p.W_k, X * p.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (double w : weights)
    if (w > 0) h -= w * std::log(w);
  return h;
}

bool output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return r.logits.rows() == Q.rows() && r.logits.cols() == K.rows() &&
         r.weights.rows() == Q.rows() && r.weights.cols() == K.rows() &&
         r.output.rows() == Q.rows() && r.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  return ((weights.rowwise().sum().array() - 1).abs() < 1e-10).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (weights(i, j) != 0) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return before.topRows(changed_token) == after.topRows(changed_token);
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i))) return false;
  return true;
}

}  // namespace attention
