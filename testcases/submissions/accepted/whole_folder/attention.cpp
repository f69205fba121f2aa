#include "include/attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return ShapeLedger{.queries = {n, d_k},
                     .keys = {n, d_k},
                     .values = {n, d_v},
                     .logits = {n, n},
                     .weights = {n, n},
                     .output = {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  RowVector w = (logits.array() - logits.maxCoeff()).exp();
  // Eigen's vectorised exp gives 5.6e-309 for -inf; I want a clean zero
  w = (logits.array() == -std::numeric_limits<double>::infinity()).select(0.0, w);
  return w / w.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  AttentionRow row;
  row.logits.noalias() = Q.row(i) * K.transpose();
  if (options.scaled) row.logits *= 1.0 / std::sqrt(static_cast<double>(Q.cols()));
  if (options.causal) {
    row.logits.tail(row.logits.size() - 1 - i).fill(-std::numeric_limits<double>::infinity());
  }
  row.weights = softmax(row.logits);
  row.output.noalias() = row.weights * V;
  return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention all;
  all.logits.noalias() = Q * K.transpose();
  if (options.scaled) all.logits *= 1.0 / std::sqrt(static_cast<double>(Q.cols()));
  if (options.causal) {
    // an additive mask, written down once as a matrix
    const Matrix mask = Matrix::NullaryExpr(Q.rows(), K.rows(), [](Index i, Index j) {
      return j > i ? -std::numeric_limits<double>::infinity() : 0.0;
    });
    all.logits += mask;
  }
  all.weights.resizeLike(all.logits);
  for (Index i = 0; i < Q.rows(); ++i) all.weights.row(i) = softmax(all.logits.row(i));
  all.output.noalias() = all.weights * V;
  return all;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) > 0.0) h -= weights(j) * std::log(weights(j));
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  const auto deviation = (weights.rowwise().sum().array() - 1.0).abs();
  return (deviation <= 1e-9).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (!(std::abs(weights(i, j)) <= std::numeric_limits<double>::min())) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    if (!(before.row(i) == after.row(i))) return false;
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    const double difference = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
    if (!(difference >= -1e-10)) return false;
  }
  return true;
}

}  // namespace attention
