#include "attention/attention.hpp"
#include <cmath>
#include <limits>

using namespace attention;
using Eigen::StrictlyUpper;

namespace {
const double inf = std::numeric_limits<double>::infinity();
}

ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v) {
  return {.queries = {n, d_k}, .keys = {n, d_k}, .values = {n, d_v}, .logits = {n, n}, .weights = {n, n}, .output = {n, d_v}};
}

RowVector attention::softmax(const RowVector& logits) {
  RowVector w = (logits.array() - logits.maxCoeff()).exp();
  return w / w.sum();
}

Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  struct Attention a;
  a.logits = Q * K.transpose() * (options.scaled ? 1 / std::sqrt(double(Q.cols())) : 1.0);
  if (options.causal) a.logits.triangularView<StrictlyUpper>().fill(-inf);
  a.weights = (a.logits.colwise() - a.logits.rowwise().maxCoeff()).array().exp();
  a.weights /= a.weights.sum();
  a.output = a.weights * V;
  return a;
}

AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  auto a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

Attention attention::self_attention(const Matrix& X, const Projections& p, const Options& options) {
  return attention(X * p.W_q, X * p.W_k, X * p.W_v, options);
}

double attention::entropy(const RowVector& weights) {
  auto w = weights.array();
  return (w > 0).select(-w * w.max(std::numeric_limits<double>::min()).log(), 0.0).sum();
}

bool attention::output_shapes_match(const Attention& a, const Matrix& Q, const Matrix& K, const Matrix& V) {
  auto n = Q.rows();
  return a.logits.rows() == n && a.logits.cols() == K.rows() && a.weights.rows() == n && a.weights.cols() == K.rows() &&
         a.output.rows() == n && a.output.cols() == V.cols();
}

bool attention::rows_sum_to_one(const Matrix& weights) {
  return weights.rowwise().sum().isApprox(Eigen::VectorXd::Ones(weights.rows()), 1e-9);
}

bool attention::future_weights_are_zero(const Matrix& weights) {
  Matrix upper = weights.triangularView<StrictlyUpper>();
  return upper.isZero(0);
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return before.topRows(changed_token) == after.topRows(changed_token);
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); i++) {
    double gain = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
    if (!(gain >= -1e-10)) return false;
  }
  return true;
}
