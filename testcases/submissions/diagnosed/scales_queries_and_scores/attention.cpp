#include <attention/attention.hpp>

#include <cmath>
#include <limits>

using Eigen::ArrayXXd;

namespace attention {

namespace {
/** The queries, brought to unit scale. */
Matrix prepare(const Matrix& Q, const Options& options) {
  if (!options.scaled) return Q;
  return Q / std::sqrt(double(Q.cols()));
}

/** Future positions get minus infinity. */
void hide_future(Matrix& logits) {
  for (Index row = 0; row < logits.rows(); ++row) {
    logits.row(row).tail(logits.cols() - 1 - row).setConstant(-std::numeric_limits<double>::infinity());
  }
}
}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  const Shape qk{n, d_k}, v{n, d_v}, square{n, n};
  return {qk, qk, v, square, square, v};
}

RowVector softmax(const RowVector& logits) {
  RowVector e = (logits.array() - logits.maxCoeff()).exp().matrix();
  e /= e.sum();
  return e;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Matrix queries = prepare(Q, options);
  Matrix logits = queries * K.transpose();
  if (options.scaled) logits *= 1.0 / std::sqrt(static_cast<double>(K.cols()));
  if (options.causal) hide_future(logits);

  Matrix weights(logits.rows(), logits.cols());
  for (Index row = 0; row < logits.rows(); ++row) weights.row(row) = softmax(logits.row(row));
  Matrix output = weights * V;
  return {logits, weights, output};
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention whole = attention(Q, K, V, options);
  return {whole.logits.row(i), whole.weights.row(i), whole.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const auto& [W_q, W_k, W_v] = projections;
  return attention(X * W_q, X * W_k, X * W_v, options);
}

double entropy(const RowVector& weights) {
  return weights.unaryExpr([](double w) { return w > 0 ? -w * std::log(w) : 0.0; }).sum();
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
  const ShapeLedger expected = shape_ledger(Q.rows(), Q.cols(), V.cols());
  const auto shape_of = [](const Matrix& m) { return Shape{m.rows(), m.cols()}; };
  return shape_of(Q) == expected.queries && shape_of(K) == expected.keys &&
         shape_of(V) == expected.values && shape_of(result.logits) == expected.logits &&
         shape_of(result.weights) == expected.weights && shape_of(result.output) == expected.output;
}

bool rows_sum_to_one(const Matrix& weights) {
  return ((weights.rowwise().sum().array() - 1.0).abs() < 1e-9).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index row = 0; row < weights.rows(); ++row) {
    if (!(weights.row(row).tail(weights.cols() - 1 - row).array() == 0.0).all()) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return (before.topRows(changed_token).array() == after.topRows(changed_token).array()).all();
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index row = 0; row < scaled_weights.rows(); ++row) {
    const double with = entropy(scaled_weights.row(row));
    const double without = entropy(unscaled_weights.row(row));
    if (!(with >= without - 1e-9)) return false;
  }
  return true;
}

}  // namespace attention
