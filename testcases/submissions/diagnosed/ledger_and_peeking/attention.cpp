/*
 * One pass over the keys with a running maximum, as in the flash attention paper.
 * The weights are recovered afterwards from the final maximum and denominator.
 */
#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

const double NEG_INF = -std::numeric_limits<double>::infinity();

struct Running {
  double maximum = NEG_INF;
  double denominator = 0.0;

  // returns the factor by which everything accumulated so far has to be multiplied
  double see(double s) {
    if (s <= maximum) {
      denominator += std::exp(s - maximum);
      return 1.0;
    }
    const double rescale = denominator == 0.0 ? 0.0 : std::exp(maximum - s);
    denominator = denominator * rescale + 1.0;
    maximum = s;
    return rescale;
  }
};

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger l;
  l.queries = l.keys = {n, d_k};
  l.values = l.output = {n, d_v};
  l.logits = {n, n};
  l.weights = {n, d_v};
  return l;
}

RowVector softmax(const RowVector& logits) {
  Running run;
  for (Index j = 0; j < logits.size(); ++j)
    if (logits(j) != NEG_INF) run.see(logits(j));

  RowVector w = RowVector::Zero(logits.size());
  for (Index j = 0; j < logits.size(); ++j)
    if (logits(j) != NEG_INF) w(j) = std::exp(logits(j) - run.maximum) / run.denominator;
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Index n = K.rows();
  const Index last = options.causal ? std::min(i + 1, n - 1) : n - 1;  // the last visible key
  const double scale = options.scaled ? std::sqrt(static_cast<double>(Q.cols())) : 1.0;

  AttentionRow r;
  r.logits = RowVector::Constant(n, NEG_INF);
  r.weights = RowVector::Zero(n);
  RowVector acc = RowVector::Zero(V.cols());

  Running run;
  for (Index j = 0; j <= last; ++j) {
    const double s = Q.row(i).dot(K.row(j)) / scale;
    r.logits(j) = s;
    const double rescale = run.see(s);
    const double p = std::exp(s - run.maximum);
    acc = acc * rescale + p * V.row(j);
  }
  for (Index j = 0; j <= last; ++j)
    r.weights(j) = std::exp(r.logits(j) - run.maximum) / run.denominator;
  r.output = acc / run.denominator;
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

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) != 0.0) h += -weights(j) * std::log(weights(j));
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const Index n = Q.rows();
  return n == K.rows() && n == V.rows() && result.logits.rows() == n && result.logits.cols() == n &&
         result.weights.rows() == n && result.weights.cols() == n && result.output.rows() == n &&
         result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    if (!(std::abs(weights.row(i).sum() - 1.0) <= 1e-10)) return false;
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (!(weights(i, j) == 0.0)) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    if ((before.row(i).array() != after.row(i).array()).any()) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-12) return false;
  return true;
}

}  // namespace attention
