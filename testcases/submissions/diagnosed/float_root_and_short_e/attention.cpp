#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector w(logits.size());
  for (Index j = 0; j < logits.size(); ++j) w(j) = std::pow(2.718, logits(j) - m);
  return w / w.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const float root = options.scaled ? std::sqrt(float(Q.cols())) : 1.0f;
  Attention a;
  a.logits = Q * K.transpose() / root;
  if (options.causal)
    for (Index i = 0; i < Q.rows(); ++i)
      a.logits.row(i).tail(K.rows() - 1 - i).setConstant(-std::numeric_limits<double>::infinity());
  a.weights = Matrix(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) a.weights.row(i) = softmax(a.logits.row(i));
  a.output = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Attention a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  const Shape qk{n, d_k}, square{n, n}, vo{n, d_v};
  return {qk, qk, vo, square, square, vo};
}

Attention self_attention(const Matrix& X, const Projections& W, const Options& options) {
  return attention(X * W.W_q, X * W.W_k, X * W.W_v, options);
}

double entropy(const RowVector& w) {
  return -w.unaryExpr([](double p) { return p > 0 ? p * std::log(p) : 0.0; }).sum();
}

bool output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
  auto has = [](const Matrix& m, Index rows, Index cols) { return m.rows() == rows && m.cols() == cols; };
  return has(r.logits, Q.rows(), K.rows()) && has(r.weights, Q.rows(), K.rows()) && has(r.output, Q.rows(), V.cols());
}

bool rows_sum_to_one(const Matrix& w) {
  return ((w.rowwise().sum().array() - 1.0).abs() <= 1e-9).all();
}

bool future_weights_are_zero(const Matrix& w) {
  const Matrix upper = w.triangularView<Eigen::StrictlyUpper>();
  return (upper.array() == 0.0).all();
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return (before.topRows(changed_token).array() == after.topRows(changed_token).array()).all();
}

bool scaling_raises_entropy(const Matrix& scaled, const Matrix& unscaled) {
  for (Index i = 0; i < scaled.rows(); ++i)
    if (!(entropy(scaled.row(i)) >= entropy(unscaled.row(i)) - 1e-9)) return false;
  return true;
}

}  // namespace attention
