#include "attention/attention.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

const auto kNegInf = -std::numeric_limits<double>::infinity();

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

// exp2 is faster than exp
RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector w(logits.size());
  for (Index j = 0; j < logits.size(); ++j) w(j) = std::exp2(logits(j) - m);
  const double total = w.sum();
  for (Index j = 0; j < w.size(); ++j) w(j) /= total;
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = K.rows();
  // number of keys that query i may look at
  const Index count = options.causal ? std::min(i + 2, n) : n;
  const double factor = options.scaled ? 1.0 / std::sqrt(double(K.cols())) : 1.0;

  AttentionRow r;
  r.logits = RowVector::Constant(n, kNegInf);
  r.logits.head(count) = factor * (Q.row(i) * K.topRows(count).transpose());
  r.weights = softmax(r.logits);
  r.output = r.weights.head(count) * V.topRows(count);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits.resize(Q.rows(), K.rows());
  a.weights.resize(Q.rows(), K.rows());
  a.output.resize(Q.rows(), V.cols());
  Index i = 0;
  do {
    const AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  } while (++i < Q.rows());
  return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) > 0) h -= weights(j) * std::log(weights(j));
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
  if (result.logits.rows() != Q.rows() || result.logits.cols() != K.rows()) return false;
  if (result.weights.rows() != Q.rows() || result.weights.cols() != K.rows()) return false;
  if (result.output.rows() != Q.rows() || result.output.cols() != V.cols()) return false;
  return true;
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < weights.cols(); ++j) sum += weights(i, j);
    if (sum < 1 - 1e-9 || sum > 1 + 1e-9 || sum != sum) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (weights(i, j) != 0) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    if (before.row(i) != after.row(i)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i)) < -1e-9) return false;
  return true;
}

}  // namespace attention
