#include "attention/attention.hpp"

#include <cmath>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  Attention a;
  a.logits = Q * K.transpose();
  if (options.scaled) a.logits /= std::sqrt(static_cast<double>(Q.cols()));

  // A token must not look into the future
  if (options.causal) {
    a.logits.triangularView<Eigen::StrictlyUpper>().setConstant(-INFINITY);
  }

  a.weights.resize(n, n);
  for (Index i = 0; i < n; ++i) a.weights.row(i) = softmax(a.logits.row(i));
  a.output = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  Attention a = attention(Q, K, V, options);
  const Index at = i > 0 ? i - 1 : 0;  // token 1 is row 0
  return {a.logits.row(at), a.weights.row(at), a.output.row(at)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (const double w : weights) {
    if (w > 0.0) h -= w * std::log(w);
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const ShapeLedger ledger = shape_ledger(Q.rows(), Q.cols(), V.cols());
  const auto shape = [](const Matrix& m) { return Shape{m.rows(), m.cols()}; };
  return shape(K) == ledger.keys && shape(result.logits) == ledger.logits &&
         shape(result.weights) == ledger.weights && shape(result.output) == ledger.output;
}

bool rows_sum_to_one(const Matrix& weights) {
  return ((weights.rowwise().sum().array() - 1.0).abs() < 1e-10).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  const Matrix future = weights.triangularView<Eigen::StrictlyUpper>();
  return (future.array() == 0.0).all();
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return before.topRows(changed_token) == after.topRows(changed_token);
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)))) return false;
  }
  return true;
}

}  // namespace attention
