#include "attention/attention.hpp"
#include <cmath>
#include <limits>

static constexpr double kHidden = -std::numeric_limits<double>::infinity();

namespace attention
{

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

/*
 * exp(z) can overflow. Softmax does not change when a constant is
 * subtracted from all logits, so center them first.
 */
RowVector softmax(const RowVector &logits)
{
  double center = 0;
  Index finite = 0;
  for (Index j = 0; j < logits.size(); j++) {
    if (logits(j) == kHidden) continue;
    center += logits(j);
    finite++;
  }
  center /= finite;

  RowVector w = RowVector::Zero(logits.size());
  for (Index j = 0; j < logits.size(); j++)
    if (logits(j) != kHidden) w(j) = std::exp(logits(j) - center);
  return w / w.sum();
}

AttentionRow attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V,
                           const Options &options)
{
  RowVector logits = K * Q.row(i).transpose();
  if (options.scaled) logits = logits / std::sqrt(1.0 * Q.cols());
  if (options.causal) logits.tail(K.rows() - i - 1).fill(kHidden);
  RowVector weights = softmax(logits);
  return {logits, weights, weights * V};
}

Attention attention(const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options)
{
  Index n = Q.rows();
  Attention result{Matrix(n, n), Matrix(n, n), Matrix(n, V.cols())};
  for (Index i = 0; i < n; i++) {
    AttentionRow row = attention_row(i, Q, K, V, options);
    result.logits.row(i) << row.logits;
    result.weights.row(i) << row.weights;
    result.output.row(i) << row.output;
  }
  return result;
}

Attention self_attention(const Matrix &X, const Projections &projections, const Options &options)
{
  Matrix Q, K, V;
  Q = X * projections.W_q;
  K = X * projections.W_k;
  V = X * projections.W_v;
  return attention(Q, K, V, options);
}

double entropy(const RowVector &weights)
{
  double h = 0;
  for (Index j = 0; j < weights.size(); j++)
    if (weights(j) > 0) h -= std::log(weights(j)) * weights(j);
  return h;
}

static Shape shape(const Matrix &m) { return {m.rows(), m.cols()}; }

bool output_shapes_match(const Attention &result, const Matrix &Q, const Matrix &K, const Matrix &V)
{
  return shape(result.logits) == Shape{Q.rows(), K.rows()} && shape(result.weights) == Shape{Q.rows(), K.rows()}
      && shape(result.output) == Shape{Q.rows(), V.cols()};
}

bool rows_sum_to_one(const Matrix &weights)
{
  for (Index i = 0; i < weights.rows(); i++) {
    double s = weights.row(i).sum();
    if (!(s > 1 - 1e-9 && s < 1 + 1e-9)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix &weights)
{
  for (Index i = 0; i < weights.rows(); i++)
    if (weights.row(i).tail(weights.cols() - i - 1).any()) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix &before, const Matrix &after, Index changed_token)
{
  for (Index i = 0; i < changed_token; i++)
    if (!(before.row(i) == after.row(i))) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights)
{
  Index ok = 0;
  for (Index i = 0; i < scaled_weights.rows(); i++)
    ok += entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9;
  return ok == scaled_weights.rows();
}

}
