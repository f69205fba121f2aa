#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <utility>

// attention = softmax(Q K^T / sqrt(d_k)) V   with the future hidden

attention::ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v)
{
  ShapeLedger l;
  l.queries = {n, d_k};
  l.keys    = {n, d_k};
  l.values  = {n, d_v};
  l.logits  = {n, n};
  l.weights = {n, n};
  l.output  = {n, d_v};
  return l;
}

attention::RowVector attention::softmax(const RowVector& logits)
{
  RowVector p(logits.size());
  double m = logits.maxCoeff();
  double s = 0;
  for (Index j = 0; j < p.size(); ++j) s += (p(j) = std::exp(logits(j) - m));
  for (Index j = 0; j < p.size(); ++j) p(j) /= s;
  return p;
}

attention::AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
  AttentionRow row;
  row.logits = Q.row(i) * K.transpose();
  if (options.scaled) row.logits = row.logits * std::sqrt((double)Q.cols());
  if (options.causal)
    for (Index j = i + 1; j < row.logits.size(); ++j)
      row.logits(j) = -std::numeric_limits<double>::infinity();
  row.weights = softmax(row.logits);
  // weighted sum of the tokens
  row.output.setZero(Q.cols());
  for (Index j = 0; j < Q.rows(); ++j) row.output += row.weights(j) * Q.row(j);
  return row;
}

attention::Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
  Attention all;
  all.logits.resize(Q.rows(), Q.rows());
  all.weights.resize(Q.rows(), Q.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    auto row = attention_row(i, Q, K, V, options);
    all.logits.row(i) = row.logits;
    all.weights.row(i) = row.weights;
    if (i == 0) all.output.resize(Q.rows(), row.output.size());
    all.output.row(i) = row.output;
  }
  return all;
}

attention::Attention attention::self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double attention::entropy(const RowVector& weights)
{
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) > 0) h -= weights(j) * std::log(weights(j));
  return h;
}

bool attention::output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
  auto size = [](const Matrix& m) { return std::pair<Index, Index>(m.rows(), m.cols()); };
  return size(result.logits) == std::pair<Index, Index>(Q.rows(), K.rows()) &&
         size(result.weights) == std::pair<Index, Index>(Q.rows(), K.rows()) &&
         size(result.output) == std::pair<Index, Index>(Q.rows(), V.cols());
}

bool attention::rows_sum_to_one(const Matrix& weights)
{
  for (Index i = 0; i < weights.rows(); ++i)
    if (!(std::abs(weights.row(i).sum() - 1) < 1e-8)) return false;
  return true;
}

bool attention::future_weights_are_zero(const Matrix& weights)
{
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (!(weights(i, j) == 0)) return false;
  return true;
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
  for (Index i = 0; i < changed_token; ++i)
    if (!before.row(i).isApprox(after.row(i), 1e-12)) return false;
  return true;
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    double e1 = entropy(scaled_weights.row(i)), e2 = entropy(unscaled_weights.row(i));
    if (e1 < e2 && e2 - e1 > 1e-9) return false;
  }
  return true;
}
