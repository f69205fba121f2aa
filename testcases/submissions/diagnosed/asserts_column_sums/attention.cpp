#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

namespace detail {

inline double logit(const Matrix& Q, const Matrix& K, Index i, Index j, const Options& options) {
  if (options.causal && j > i) return -std::numeric_limits<double>::infinity();
  const double s = Q.row(i).dot(K.row(j));
  return options.scaled ? s / std::sqrt(static_cast<double>(Q.cols())) : s;
}

inline double safe_log(double w) { return w > 0.0 ? std::log(w) : 0.0; }

}  // namespace detail

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {
      /*queries*/ {n, d_k},
      /*keys*/ {n, d_k},
      /*values*/ {n, d_v},
      /*logits*/ {n, n},
      /*weights*/ {n, n},
      /*output*/ {n, d_v},
  };
}

RowVector softmax(const RowVector& logits) {
  const double shift = logits.maxCoeff();
  const RowVector exponentials =
      RowVector::NullaryExpr(logits.size(), [&](Index j) { return std::exp(logits(j) - shift); });
  return exponentials / exponentials.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  AttentionRow result;
  result.logits = RowVector::NullaryExpr(
      K.rows(), [&](Index j) { return detail::logit(Q, K, i, j, options); });
  result.weights = softmax(result.logits);
  result.output = result.weights * V;
  return result;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention result;
  result.logits = Matrix::NullaryExpr(Q.rows(), K.rows(), [&](Index i, Index j) {
    return detail::logit(Q, K, i, j, options);
  });
  result.weights = Matrix(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) result.weights.row(i) = softmax(result.logits.row(i));
  result.output = result.weights * V;
  return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  return -(weights.array() * weights.array().unaryExpr(&detail::safe_log)).sum();
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const auto rows_and_cols = [](const Matrix& m) { return Shape{m.rows(), m.cols()}; };
  const Shape square{Q.rows(), K.rows()};
  const Shape output{Q.rows(), V.cols()};
  return rows_and_cols(result.logits) == square && rows_and_cols(result.weights) == square &&
         rows_and_cols(result.output) == output;
}

bool rows_sum_to_one(const Matrix& weights) {
  const Eigen::RowVectorXd sums = weights.colwise().sum();
  return ((sums.array() - 1.0).abs() <= 1e-9).all();
}

bool future_weights_are_zero(const Matrix& weights) {
  return weights.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0);
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  if (changed_token == 0) return true;
  return (before.topRows(changed_token) - after.topRows(changed_token)).cwiseAbs().maxCoeff() <= 1e-12;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-12) return false;
  }
  return true;
}

}  // namespace attention
