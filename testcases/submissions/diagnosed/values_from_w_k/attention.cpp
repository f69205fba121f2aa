#include "attention.hpp"

#include <cmath>
#include <limits>

using attention::Index;
using attention::Matrix;
using attention::Options;
using attention::RowVector;

attention::ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector attention::softmax(const RowVector& logits) {
  // log-sum-exp would do as well; this is the direct way
  const auto shifted = logits.array() - logits.maxCoeff();
  const RowVector numerators = shifted.exp();
  return numerators / numerators.sum();
}

attention::AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K,
                                                 const Matrix& V, const Options& options) {
  RowVector logits = Q.row(i) * K.transpose();
  if (options.scaled) logits *= std::pow(double(Q.cols()), -0.5);
  if (options.causal && i + 1 < K.rows())
    logits.rightCols(K.rows() - i - 1).setConstant(-std::numeric_limits<double>::infinity());
  const RowVector weights = softmax(logits);
  const RowVector output = weights * V;
  return {logits, weights, output};
}

attention::Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                          const Options& options) {
  Attention a{Matrix::Zero(Q.rows(), K.rows()), Matrix::Zero(Q.rows(), K.rows()),
              Matrix::Zero(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
}

attention::Attention attention::self_attention(const Matrix& X, const Projections& projections,
                                               const Options& options) {
  const Matrix Q = X * projections.W_q;
  const Matrix K = X * projections.W_k;
  const Matrix V = X * projections.W_k;
  return attention(Q, K, V, options);
}

double attention::entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.cols(); ++j)
    if (weights(j) > 0) h -= weights(j) * std::log(weights(j));
  return h;
}

bool attention::output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                                    const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool attention::rows_sum_to_one(const Matrix& weights) {
  const Eigen::VectorXd sums = weights.rowwise().sum();
  for (double sum : sums)
    if (!(sum >= 1 - 1e-9 && sum <= 1 + 1e-9)) return false;
  return true;
}

bool attention::future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    for (Index j = i + 1; j < weights.cols(); ++j)
      if (weights(i, j) != 0) return false;
  return true;
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after,
                                       Index changed_token) {
  return before.topRows(changed_token).cwiseEqual(after.topRows(changed_token)).all();
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights,
                                       const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9)) return false;
  return true;
}
