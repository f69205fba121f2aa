#include "attention/attention.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attention {

RowVector softmax(const RowVector& logits) {
  RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

// The weighted sum of one row.
static RowVector weighted(const RowVector& w, const Matrix& V) {
  return (V.transpose() * w.transpose()).transpose();
}

static RowVector scores(Index i, const Matrix& Q, const Matrix& K, const Options& options) {
  RowVector s(K.rows());
  for (Index j = 0; j < K.rows(); ++j) {
    s[j] = Q.row(i).dot(K.row(j)) / (options.scaled ? std::sqrt(static_cast<double>(K.cols())) : 1);
    if (options.causal && j > i) s[j] = -std::numeric_limits<double>::infinity();
  }
  return s;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const RowVector s = scores(i, Q, K, options);
  const RowVector w = softmax(s);
  return {s, w, weighted(w, V)};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits.resize(Q.rows(), K.rows());
  a.weights.resize(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    a.logits.row(i) = scores(i, Q, K, options);
    a.weights.row(i) = softmax(a.logits.row(i));
  }
  a.output = V.transpose() * a.weights.transpose();
  return a;
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
