#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector& logits) {
  const RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

static Matrix softmax_all(const Matrix& S) {
  const RowVector top = S.colwise().maxCoeff();
  const Matrix E = (S.rowwise() - top).array().exp();
  const Eigen::VectorXd Z = E.rowwise().sum();
  return E.array().colwise() / Z.array();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits = Q * K.transpose();
  if (options.scaled) a.logits /= std::sqrt(double(K.cols()));
  if (options.causal)
    a.logits.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<double>::infinity());
  a.weights = softmax_all(a.logits);
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
