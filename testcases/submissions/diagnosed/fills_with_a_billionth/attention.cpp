#include "attention/attention.hpp"

#include <cmath>
#include <vector>

namespace attention {

RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector e = logits;
  for (auto& x : e) x = std::exp(x - m);
  return e / e.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  constexpr double kMasked = 1e-9;
  Attention a;
  a.logits.noalias() = Q * K.transpose();
  if (options.scaled) a.logits *= 1.0 / std::sqrt(static_cast<double>(Q.cols()));
  for (Index i = 0; i < Q.rows(); ++i)
    for (Index j = i + 1; options.causal && j < K.rows(); ++j) a.logits(i, j) = kMasked;
  a.weights.resizeLike(a.logits);
  for (Index i = 0; i < Q.rows(); ++i) a.weights.row(i) = softmax(a.logits.row(i));
  a.output.noalias() = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const auto [logits, weights, output] = attention(Q, K, V, options);
  return {logits.row(i), weights.row(i), output.row(i)};
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const auto shape = [](const Matrix& m) { return Shape{m.rows(), m.cols()}; };
  return shape(result.logits) == Shape{Q.rows(), K.rows()} &&
         shape(result.weights) == Shape{Q.rows(), K.rows()} &&
         shape(result.output) == Shape{Q.rows(), V.cols()};
}

bool rows_sum_to_one(const Matrix& weights) {
  const auto near_one = [&](Index i) {
    const double s = weights.row(i).sum();
    return s >= 1 - 1e-9 && s <= 1 + 1e-9;
  };
  Index good = 0;
  for (Index i = 0; i < weights.rows(); ++i) good += near_one(i);
  return good == weights.rows();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i + 1 < weights.rows(); ++i) {
    const RowVector future = weights.row(i).tail(weights.cols() - i - 1);
    if (!future.isZero(0)) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  Index i = 0;
  while (i < changed_token && before.row(i) == after.row(i)) ++i;
  return i >= changed_token;
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (const double p = weights[j]; p > 0) h += p * -std::log(p);
  return h;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  const Index n = scaled_weights.rows();
  std::vector<double> with(n), without(n);
  for (Index i = 0; i < n; ++i) {
    with[i] = entropy(scaled_weights.row(i));
    without[i] = entropy(unscaled_weights.row(i));
  }
  for (Index i = 0; i < n; ++i)
    if (with[i] < without[i] - 1e-11) return false;
  return true;
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger ledger;
  ledger.queries = ledger.keys = Shape{n, d_k};
  ledger.logits = ledger.weights = Shape{n, n};
  ledger.values = ledger.output = Shape{n, d_v};
  return ledger;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const auto project = [&X](const Matrix& W) -> Matrix { return X * W; };
  return attention(project(projections.W_q), project(projections.W_k), project(projections.W_v),
                   options);
}

}  // namespace attention
