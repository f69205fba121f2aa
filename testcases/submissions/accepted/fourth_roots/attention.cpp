#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();
const double kLog2E = 1.0 / std::log(2.0);

template <typename Accumulator, typename Left, typename Right>
double inner(const Left& left, const Right& right) {
  Accumulator sum{};
  for (Index t = left.size(); t-- > 0;) sum += static_cast<Accumulator>(left(t)) * right(t);
  return static_cast<double>(sum);
}

}  // namespace

RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector e = logits.unaryExpr([m](double z) { return std::exp2((z - m) * kLog2E); });
  return e * (1.0 / e.sum());
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  // half of the scale goes to the queries, the other half to the keys
  const double half = options.scaled ? std::pow(static_cast<double>(Q.cols()), -0.25) : 1.0;
  const RowVector q = Q.row(i) * half;
  AttentionRow r{RowVector(K.rows()), {}, RowVector(V.cols())};
  for (Index j = 0; j < K.rows(); ++j) {
    const RowVector k = K.row(j) * half;
    r.logits(j) = j <= i || !options.causal ? inner<long double>(q, k) : kNothing;
  }
  r.weights = softmax(r.logits);
  for (Index t = 0; t < V.cols(); ++t) r.output(t) = inner<double>(r.weights, V.col(t));
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = Q.rows(); i-- > 0;) {
    AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i).swap(r.logits);
    a.weights.row(i).swap(r.weights);
    a.output.row(i).swap(r.output);
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
  return (before.topRows(changed_token).array() == after.topRows(changed_token).array()).all();
}

bool scaling_raises_entropy(const Matrix& scaled, const Matrix& unscaled) {
  for (Index i = 0; i < scaled.rows(); ++i)
    if (!(entropy(scaled.row(i)) >= entropy(unscaled.row(i)) - 1e-9)) return false;
  return true;
}

}  // namespace attention
