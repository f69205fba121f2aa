#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <optional>
using namespace attention;

// log of the sum of exponentials; softmax is then exp(z - lse)
static double logsumexp(const RowVector &z)
{
  double m = z.maxCoeff();
  double total = 0;
  for (Index t = 0; t < z.cols(); t++) total += std::exp(z[t] - m);
  return m + std::log(total);
}

ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v)
{
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector attention::softmax(const RowVector &logits)
{
  return logits.unaryExpr([lse = logsumexp(logits)](double z) { return std::exp(z - lse); });
}

// logit of query i and key j, or nothing if the key lies in the future
static std::optional<double> score(Index i, Index j, const Matrix &Q, const Matrix &K, Options o)
{
  if (o.causal and j > i) return std::nullopt;
  double qk = Q.row(i) * K.row(j).transpose();
  return o.scaled ? qk * std::pow(double(Q.cols()), -1 / 2) : qk;
}

AttentionRow attention::attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V,
                                      const Options &options)
{
  AttentionRow r;
  r.logits.resize(K.rows());
  for (Index j = 0; j < K.rows(); j++)
    r.logits[j] = score(i, j, Q, K, options).value_or(-std::numeric_limits<double>::infinity());
  r.weights = softmax(r.logits);
  r.output = r.weights * V;
  return r;
}

Attention attention::attention(const Matrix &Q, const Matrix &K, const Matrix &V,
                               const Options &options)
{
  Attention a;
  a.logits.resize(Q.rows(), K.rows());
  a.weights.resizeLike(a.logits);
  a.output.resize(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); i++) {
    auto r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
}

Attention attention::self_attention(const Matrix &X, const Projections &p, const Options &options)
{
  const Matrix q = X * p.W_q, k = X * p.W_k, v = X * p.W_v;
  return attention::attention(q, k, v, options);
}

double attention::entropy(const RowVector &weights)
{
  double h = 0;
  for (double w : weights) h -= w > 0 ? w * std::log(w) : 0;
  return h;
}

bool attention::output_shapes_match(const Attention &r, const Matrix &Q, const Matrix &K,
                                    const Matrix &V)
{
  auto shape = [](const Matrix &m) { return Shape{m.rows(), m.cols()}; };
  auto want = shape_ledger(Q.rows(), Q.cols(), V.cols());
  return shape(K) == want.keys and shape(r.logits) == want.logits and
         shape(r.weights) == want.weights and shape(r.output) == want.output;
}

bool attention::rows_sum_to_one(const Matrix &weights)
{
  for (auto row : weights.rowwise())
    if (not(std::fabs(row.sum() - 1) <= 1e-8)) return false;
  return true;
}

bool attention::future_weights_are_zero(const Matrix &weights)
{
  for (Index i = 0; i + 1 < weights.rows(); i++)
    for (double w : weights.row(i).tail(weights.cols() - i - 1))
      if (not(w == 0)) return false;
  return true;
}

bool attention::past_outputs_unchanged(const Matrix &before, const Matrix &after, Index changed_token)
{
  return before.topRows(changed_token).isApprox(after.topRows(changed_token), 1e-12) ||
         changed_token == 0;
}

bool attention::scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights)
{
  for (Index i = 0; i < scaled_weights.rows(); i++)
    if (not(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)))) return false;
  return true;
}
