#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attention {
namespace {

constexpr double kNegInf = -std::numeric_limits<double>::infinity();

// exp(40) is large enough for everybody and cannot overflow
double safe_exp(double s) { return s == kNegInf ? 0.0 : std::exp(std::clamp(s, -40.0, 40.0)); }

std::vector<float> mix(const RowVector& weights, const Matrix& V) {
  std::vector<float> out(V.cols(), 0.0f);
  for (Index j = 0; j < V.rows(); ++j) {
    for (Index t = 0; t < V.cols(); ++t) out[t] += weights[j] * V(j, t);
  }
  return out;
}

}  // namespace

RowVector softmax(const RowVector& logits) {
  RowVector e(logits.size());
  for (Index j = 0; j < logits.size(); ++j) e[j] = safe_exp(logits[j]);
  return e / e.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  AttentionRow r;
  r.logits = Q.row(i) * K.transpose();
  if (options.scaled) r.logits /= std::sqrt(static_cast<double>(Q.cols()));
  if (options.causal)
    for (Index j = i + 1; j < K.rows(); ++j) r.logits[j] = kNegInf;
  r.weights = softmax(r.logits);
  const std::vector<float> out = mix(r.weights, V);
  r.output.resize(V.cols());
  std::copy(out.begin(), out.end(), r.output.begin());
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
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
