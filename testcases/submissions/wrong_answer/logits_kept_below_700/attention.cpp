#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using attention::Index;
using attention::Matrix;
using attention::RowVector;

// exp(710) is already infinite, so no logit may get there.
static const double kLimit = 700.0;

// The exponentials of a row and their sum.
struct Unnormalised {
  RowVector e;
  double sum;
};

static Unnormalised exponentials(const RowVector& s) {
  Unnormalised u{(s.array() - s.maxCoeff()).exp(), 0.0};
  u.sum = u.e.sum();
  return u;
}

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger shapes;
  shapes.queries = {n, d_k};
  shapes.keys = shapes.queries;
  shapes.values = {n, d_v};
  shapes.logits = {n, n};
  shapes.weights = shapes.logits;
  shapes.output = shapes.values;
  return shapes;
}

RowVector softmax(const RowVector& logits) {
  const Unnormalised u = exponentials(logits);
  return u.e / u.sum;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  // scale the queries once instead of all n*n logits
  const Matrix Qs = options.scaled ? Matrix(Q / std::sqrt((double)Q.cols())) : Q;
  a.logits.noalias() = Qs * K.transpose();
  a.logits = a.logits.cwiseMax(-kLimit).cwiseMin(kLimit);
  if (options.causal)
    for (Index j = 1; j < K.rows(); ++j)
      a.logits.col(j).head(j).setConstant(-std::numeric_limits<double>::infinity());

  a.weights.resize(Q.rows(), K.rows());
  a.output.resize(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    const Unnormalised u = exponentials(a.logits.row(i));
    a.weights.row(i) = u.e / u.sum;
    a.output.row(i) = (u.e * V) / u.sum;
  }
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  AttentionRow r;
  r.logits = K * Q.row(i).transpose() / (options.scaled ? std::sqrt((double)Q.cols()) : 1.0);
  r.logits = r.logits.cwiseMax(-kLimit).cwiseMin(kLimit);
  if (options.causal)
    r.logits.tail(K.rows() - i - 1).setConstant(-std::numeric_limits<double>::infinity());
  const Unnormalised u = exponentials(r.logits);
  r.output = u.e * V;
  r.output /= u.sum;
  r.weights = u.e / u.sum;
  return r;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  Matrix Q = X * projections.W_q;
  Matrix K = X * projections.W_k;
  Matrix V = X * projections.W_v;
  return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    double w = weights(j);
    if (w == 0.0) continue;
    h -= w * std::log(w);
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  if (result.logits.rows() != Q.rows() or result.logits.cols() != K.rows()) return false;
  if (result.weights.rows() != Q.rows() or result.weights.cols() != K.rows()) return false;
  return result.output.rows() == Q.rows() and result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    double sum = weights.row(i).sum();
    if (sum > 0.999999 and sum < 1.000001) continue;
    return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index j = 1; j < weights.cols(); ++j)
    if (not weights.col(j).head(std::min(j, weights.rows())).isZero(1e-12)) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    if (before.row(i) != after.row(i)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    double s = entropy(scaled_weights.row(i));
    double u = entropy(unscaled_weights.row(i));
    if (not(s - u > -1e-9)) return false;
  }
  return true;
}

}  // namespace attention
