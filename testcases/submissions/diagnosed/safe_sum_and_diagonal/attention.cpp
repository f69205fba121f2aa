#include <attention/attention.hpp>

#include <cmath>
#include <limits>

namespace attention {

/// Never divides by zero.
static RowVector normalise(const RowVector& e) {
  return e / (e.sum() + 1e-8);
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const double maximum = logits.maxCoeff();
  RowVector e(logits.size());
  for (Index j = 0; j < e.size(); ++j) {
    e(j) = std::isinf(logits(j)) ? 0.0 : std::exp(logits(j) - maximum);
  }
  return normalise(e);
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  RowVector logits = (K * Q.row(i).transpose()).transpose();
  if (options.scaled) logits /= std::sqrt(double(K.cols()));
  if (options.causal) {
    for (Index j = K.rows() - 1; j > i; --j) logits(j) = -std::numeric_limits<double>::infinity();
  }
  const RowVector weights = softmax(logits);
  return {logits, weights, weights * V};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention result;
  result.logits = Matrix::Zero(Q.rows(), K.rows());
  result.weights = Matrix::Zero(Q.rows(), K.rows());
  result.output = Matrix::Zero(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow row = attention_row(i, Q, K, V, options);
    result.logits.row(i) = row.logits;
    result.weights.row(i) = row.weights;
    result.output.row(i) = row.output;
  }
  return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    const double w = weights(j);
    h -= w > 0.0 ? w * std::log(w) : 0.0;
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const Index n = Q.rows();
  const bool square = result.logits.rows() == n && result.logits.cols() == K.rows() &&
                      result.weights.rows() == n && result.weights.cols() == K.rows();
  return square && result.output.rows() == n && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    if (!(std::abs(weights.row(i).sum() - 1.0) < 1e-7)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i; j < weights.cols(); ++j) {
      if (weights(i, j) != 0.0) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    if (before.row(i) != after.row(i)) return false;
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
  }
  return true;
}

}  // namespace attention
