#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

// ---------------------------------------------------------------- part 1: shapes

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger ledger;
  ledger.queries = {n, d_k};
  ledger.keys = {n, d_k};
  ledger.values = {n, d_v};
  // (n x d_k) * (d_k x n) = n x n
  ledger.logits = {ledger.queries.rows, ledger.keys.rows};
  ledger.weights = ledger.logits;
  // (n x n) * (n x d_v) = n x d_v
  ledger.output = {ledger.weights.rows, ledger.values.cols};
  return ledger;
}

// ---------------------------------------------------------------- part 2: softmax

RowVector softmax(const RowVector& logits) {
  const Index n = logits.size();
  double peak = logits(0);
  for (Index j = 1; j < n; ++j) peak = logits(j) > peak ? logits(j) : peak;
  RowVector weights(n);
  double mass = 0;
  for (Index j = 0; j < n; ++j) mass += weights(j) = std::exp(logits(j) - peak);
  weights *= 1.0 / mass;
  return weights;
}

// ---------------------------------------------------------------- part 3: attention

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention result;
  result.logits.noalias() = Q * K.transpose();
  if (options.scaled) result.logits /= std::sqrt(double(Q.cols()));

  // for stability: the largest logit of every row
  const Eigen::VectorXd peaks = result.logits.rowwise().maxCoeff();
  if (options.causal) {
    for (Index i = 0; i < Q.rows(); ++i)
      for (Index j = i + 1; j < K.rows(); ++j)
        result.logits(i, j) = -std::numeric_limits<double>::infinity();
  }


  result.weights = (result.logits.colwise() - peaks).array().exp();
  const Eigen::VectorXd sums = result.weights.rowwise().sum();
  result.weights.array().colwise() /= sums.array();
  result.output.noalias() = result.weights * V;
  return result;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention all = attention(Q, K, V, options);
  AttentionRow one;
  one.logits = all.logits.row(i);
  one.weights = all.weights.row(i);
  one.output = all.output.row(i);
  return one;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

// ---------------------------------------------------------------- part 4: assertions

double entropy(const RowVector& weights) {
  double result = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) > 0) result += weights(j) * std::log(1.0 / weights(j));
  return result;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const ShapeLedger want = shape_ledger(Q.rows(), K.cols(), V.cols());
  return Shape{result.logits.rows(), result.logits.cols()} == want.logits &&
         Shape{result.weights.rows(), result.weights.cols()} == want.weights &&
         Shape{result.output.rows(), result.output.cols()} == want.output;
}

bool rows_sum_to_one(const Matrix& weights) {
  const Eigen::ArrayXd sums = weights.rowwise().sum();
  return sums.isOnes(1e-10);
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (weights(i, j) != 0) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  const auto difference = before.topRows(changed_token) - after.topRows(changed_token);
  return (difference.array().abs() <= 1e-12).all();
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  bool raised = true;
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    const double change = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
    raised = raised && change > -1e-9;
  }
  return raised;
}

}  // namespace attention
