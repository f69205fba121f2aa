#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector& logits) {
  const RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = K.rows(), visible = options.causal ? i + 1 : n;
  AttentionRow r{RowVector::Constant(n, -INFINITY), RowVector::Zero(n), RowVector()};
  r.logits.head(visible) = (K.topRows(visible) * Q.row(i).transpose()).transpose();
  if (options.scaled) r.logits.head(visible) /= std::sqrt(double(Q.cols()));
  r.weights.head(visible) = softmax(r.logits.head(visible));
  r.output = r.weights.head(visible) * V.topRows(visible);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
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
  if (changed_token == 0) return true;   // nothing lies before it
  // the first token has seen only itself, so it is the one that must not move
  return before.row(0) == after.row(0);
}

bool scaling_raises_entropy(const Matrix& scaled, const Matrix& unscaled) {
  for (Index i = 0; i < scaled.rows(); ++i)
    if (!(entropy(scaled.row(i)) >= entropy(unscaled.row(i)) - 1e-9)) return false;
  return true;
}

}  // namespace attention
