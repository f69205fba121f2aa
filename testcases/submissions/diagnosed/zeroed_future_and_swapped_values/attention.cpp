#include "attention/attention.hpp"
#include <cmath>
#include <limits>

using namespace attention;

ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger s;
  s.queries = {n, d_k};
  s.keys = {n, d_k};
  s.values = {d_v, n};
  s.logits = {n, n};
  s.weights = {n, n};
  s.output = {n, d_v};
  return s;
}

RowVector attention::softmax(const RowVector& logits) {
  RowVector e = (logits.array() - logits.maxCoeff()).unaryExpr([](double z) { return std::exp(z); });
  return e * (1.0 / e.sum());
}

Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  struct Attention r;
  r.logits = Q * K.transpose();
  if (options.scaled) r.logits /= std::sqrt(double(Q.cols()));
  for (Index i = 0; options.causal && i < r.logits.rows(); ++i)
    for (Index j = i + 1; j < r.logits.cols(); ++j)
      r.logits(i, j) = 0.0;   // no attention to the future
  r.weights = Matrix(r.logits.rows(), r.logits.cols());
  for (Index i = 0; i < r.logits.rows(); ++i) r.weights.row(i) = softmax(r.logits.row(i));
  r.output = r.weights * V;
  return r;
}

AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const auto r = attention(Q, K, V, options);
  return {r.logits.row(i), r.weights.row(i), r.output.row(i)};
}

Attention attention::self_attention(const Matrix& X, const Projections& p, const Options& options) {
  Matrix Q = X * p.W_q;
  Matrix K = X * p.W_k;
  Matrix V = X * p.W_v;
  return attention(Q, K, V, options);
}

double attention::entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights[j] > 0) h -= weights[j] * std::log(weights[j]);
  return h;
}

bool attention::output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return r.logits.rows() == Q.rows() && r.logits.cols() == K.rows() &&
         r.weights.rows() == Q.rows() && r.weights.cols() == K.rows() &&
         r.output.rows() == Q.rows() && r.output.cols() == V.cols();
}

bool attention::rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    if (!(std::abs(weights.row(i).sum() - 1) < 1e-8)) return false;
  return true;
}

bool attention::future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (!(std::abs(weights(i, j)) < 1e-10)) return false;
  return true;
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    if (!((before.row(i) - after.row(i)).cwiseAbs().sum() < 1e-10)) return false;
  return true;
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-8)) return false;
  return true;
}
