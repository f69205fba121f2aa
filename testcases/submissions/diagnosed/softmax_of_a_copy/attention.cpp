#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

static void softmax_in_place(RowVector& z) {
  z = (z.array() - z.maxCoeff()).exp();
  z /= z.sum();
}

RowVector softmax(const RowVector& logits) {
  RowVector w = logits;
  softmax_in_place(w);
  return w;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  Attention a;
  a.logits = Q * K.transpose();
  if (options.scaled) a.logits /= std::sqrt(double(Q.cols()));
  a.weights = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index m = options.causal ? i + 1 : n;                    // visible keys
    a.weights.row(i).head(m) = a.logits.row(i).head(m);
    RowVector visible = a.weights.row(i).head(m);
    softmax_in_place(visible);
    a.logits.row(i).tail(n - m).setConstant(-std::numeric_limits<double>::infinity());
  }
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
