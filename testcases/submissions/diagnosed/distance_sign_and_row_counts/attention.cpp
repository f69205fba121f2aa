#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace {

using attention::Matrix;

// score of a query and a key: the closer, the smaller, so turn it around
double score(const Matrix& Q, const Matrix& K, Eigen::Index i, Eigen::Index j) {
  return -Q.row(i).dot(K.row(j));
}

}  // namespace

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  double m = -std::numeric_limits<double>::infinity();
  for (double z : logits) m = std::fmax(m, z);
  RowVector w = RowVector::Zero(logits.size());
  double sum = 0;
  for (Index j = 0; j < logits.size(); ++j) {
    w(j) = std::exp(logits(j) - m);
    sum += w(j);
  }
  w /= sum;
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const double root = std::sqrt(static_cast<double>(Q.cols()));
  AttentionRow r;
  r.logits.resize(K.rows());
  for (Index j = 0; j < K.rows(); ++j) {
    double s = score(Q, K, i, j);
    if (options.scaled) s /= root;
    if (options.causal && j > i) s = -std::numeric_limits<double>::infinity();
    r.logits(j) = s;
  }
  r.weights = softmax(r.logits);
  r.output = RowVector::Zero(V.cols());
  for (Index j = 0; j < V.rows(); ++j) r.output += V.row(j) * r.weights(j);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention r;
  r.logits = Matrix::Zero(Q.rows(), K.rows());
  r.weights = Matrix::Zero(Q.rows(), K.rows());
  r.output = Matrix::Zero(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    const AttentionRow row = attention_row(i, Q, K, V, options);
    r.logits.row(i) = row.logits;
    r.weights.row(i) = row.weights;
    r.output.row(i) = row.output;
  }
  return r;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) > 0) h -= weights(j) * std::log(weights(j));
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  // one row for every token
  return result.logits.rows() == Q.rows() && result.weights.rows() == K.rows() &&
         result.output.rows() == V.rows();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    if (!(std::fabs(weights.row(i).sum() - 1.0) < 1e-8)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (std::fpclassify(weights(i, j)) != FP_ZERO) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    if (!((before.row(i) - after.row(i)).norm() < 1e-12)) return false;
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-10)) return false;
  }
  return true;
}

}  // namespace attention
