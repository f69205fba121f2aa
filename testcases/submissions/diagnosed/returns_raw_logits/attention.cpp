#include "attention/attention.hpp"

#include <cmath>

// For a causal row only the first i+1 keys exist. So I take topRows(i+1) and never even look at
// the future; its logits and weights are filled in with what the contract says.

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return ShapeLedger{.queries = Shape{n, d_k}, .keys = Shape{n, d_k}, .values = Shape{n, d_v},
                     .logits = Shape{n, n}, .weights = Shape{n, n}, .output = Shape{n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector w = logits.unaryExpr([m](double z) { return std::exp(z - m); });
  return w /= w.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Index n = K.rows();
  const Index seen = options.causal ? i + 1 : n;

  RowVector visible = Q.row(i) * K.topRows(seen).transpose();
  if (options.scaled) visible *= 1.0 / std::sqrt(static_cast<double>(K.cols()));
  const RowVector visible_weights = softmax(visible);

  AttentionRow r;
  r.logits = Q.row(i) * K.transpose();
  if (options.scaled) r.logits /= std::sqrt(static_cast<double>(K.cols()));
  r.weights = RowVector::Zero(n);
  r.weights.head(seen) = visible_weights;
  r.output = visible_weights * V.topRows(seen);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits.setConstant(Q.rows(), K.rows(), -HUGE_VAL);
  a.weights.setZero(Q.rows(), K.rows());
  a.output.setZero(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i).swap(r.logits);
    a.weights.row(i).swap(r.weights);
    a.output.row(i).swap(r.output);
  }
  return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  // one big product, then cut it into Q, K and V
  const Index d_k = projections.W_q.cols(), d_v = projections.W_v.cols();
  Matrix W(X.cols(), 2 * d_k + d_v);
  W << projections.W_q, projections.W_k, projections.W_v;
  const Matrix QKV = X * W;
  return attention(QKV.leftCols(d_k), QKV.middleCols(d_k, d_k), QKV.rightCols(d_v), options);
}

double entropy(const RowVector& weights) {
  return -weights.unaryExpr([](double w) { return w > 0 ? w * std::log(w) : 0.0; }).sum();
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const ShapeLedger l = shape_ledger(Q.rows(), Q.cols(), V.cols());
  return Shape{K.rows(), K.cols()} == l.keys &&
         Shape{result.logits.rows(), result.logits.cols()} == l.logits &&
         Shape{result.weights.rows(), result.weights.cols()} == l.weights &&
         Shape{result.output.rows(), result.output.cols()} == l.output;
}

bool rows_sum_to_one(const Matrix& weights) {
  const Eigen::ArrayXd error = weights.rowwise().sum().array() - 1.0;
  return (error > -1e-10).all() && (error < 1e-10).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const Index future = weights.cols() - i - 1;
    if (!(weights.row(i).tail(future).array() == 0).all()) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return before.topRows(changed_token).cwiseEqual(after.topRows(changed_token)).all();
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  Eigen::ArrayXd gain(scaled_weights.rows());
  for (Index i = 0; i < gain.size(); ++i)
    gain(i) = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
  return (gain >= -1e-12).all();
}

}  // namespace attention
