#include "attention/attention.hpp"

#include <cmath>

namespace attention {

// finite, so that no NaN can come out of softmax
const double kMasked = -1e4;
const double kEps = 1e-8;

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return ShapeLedger{{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const RowVector z = logits.array() - logits.maxCoeff();
  const RowVector e = z.array().exp();
  return e.array() / e.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  Matrix mask = Matrix::Zero(n, n);
  if (options.causal) {
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (j > i) mask(i, j) = kMasked;
  }
  const double root = options.scaled ? std::sqrt(double(Q.cols())) : 1.0;

  Attention a;
  a.logits = Q * K.transpose() / root;
  a.logits = (mask.array() != 0).select(mask, a.logits);
  a.weights = Matrix(n, n);
  for (Index i = 0; i < n; ++i) a.weights.row(i) = softmax(a.logits.row(i));
  a.output = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  Attention a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const Matrix Q = X * projections.W_q;
  const Matrix K = X * projections.W_k;
  const Matrix V = X * projections.W_v;
  return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j) h -= weights(j) * std::log(weights(j) + kEps);
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    if (!(std::abs(weights.row(i).sum() - 1) < 1e-8)) return false;
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (!(weights(i, j) < 1e-12)) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    for (Index c = 0; c < before.cols(); ++c)
      if (!(std::abs(before(i, c) - after(i, c)) < 1e-10)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (!(entropy(scaled_weights.row(i)) > entropy(unscaled_weights.row(i)) - 1e-9)) return false;
  return true;
}

}  // namespace attention
