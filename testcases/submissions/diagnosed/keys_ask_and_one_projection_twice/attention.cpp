#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  const Shape in = {n, d_k};
  const Shape all_pairs = {n, n};
  const Shape out = {n, d_v};
  return {in, in, out, all_pairs, all_pairs, out};
}

RowVector softmax(const RowVector& logits) {
  const double big = logits.maxCoeff();
  const RowVector e = (logits - RowVector::Constant(logits.size(), big)).array().exp().matrix();
  return e / e.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Matrix A = K * Q.transpose();
  const Index n = A.rows();
  Attention r{A, Matrix::Zero(n, n), Matrix::Zero(n, V.cols())};
  if (options.scaled) r.logits.array() *= 1.0 / std::sqrt(double(Q.cols()));
  for (Index i = 0; i < n; ++i) {
    if (options.causal)
      r.logits.block(i, i + 1, 1, n - i - 1).setConstant(-std::numeric_limits<double>::infinity());
    r.weights.row(i) = softmax(r.logits.row(i));
    r.output.row(i) = r.weights.row(i) * V;
  }
  return r;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  Attention r = attention(Q, K, V, options);
  return {r.logits.row(i), r.weights.row(i), r.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_k, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double sum = 0;
  for (double w : weights) {
    if (w == 0) continue;  // 0 log 0 = 0
    sum -= w * std::log(w);
  }
  return sum;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (const auto& row : weights.rowwise()) {
    if (!(std::abs(row.sum() - 1.0) < 1e-9)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  Index i = 0;
  for (const auto& row : weights.rowwise()) {
    ++i;
    if ((row.tail(row.size() - i).array() != 0.0).any()) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = changed_token - 1; i >= 0; --i) {
    if (before.row(i) != after.row(i)) return false;
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
  }
  return true;
}

}  // namespace attention
