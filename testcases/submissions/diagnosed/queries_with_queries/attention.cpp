#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <stdexcept>
using namespace std;

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger s;
  s.queries = s.keys = Shape{n, d_k};
  s.values = s.output = Shape{n, d_v};
  s.logits = s.weights = Shape{n, n};
  return s;
}

RowVector softmax(const RowVector& logits) {
  const double m = logits.maxCoeff();
  RowVector w(logits.size());
  for (Index i = 0; i < w.size(); i++) w[i] = exp(logits[i] - m);
  return w / w.sum();
}

// similarity of all pairs of tokens
Matrix similarities(const Matrix& Q, const Matrix& K, bool scaled) {
  if (Q.cols() != K.cols()) throw invalid_argument("queries and keys must have the same width");
  Matrix S = Q * Q.transpose();
  if (scaled) {
    const double s = sqrt(double(Q.cols()));
    for (Index i = 0; i < S.rows(); i++) S.row(i) /= s;
  }
  return S;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention r;
  r.logits = similarities(Q, K, options.scaled);
  if (options.causal) {
    for (Index j = 0; j < r.logits.cols(); j++)
      for (Index i = 0; i < j; i++)
        r.logits(i, j) = -numeric_limits<double>::infinity();
  }
  r.weights.resizeLike(r.logits);
  for (Index i = 0; i < r.logits.rows(); i++) r.weights.row(i) = softmax(r.logits.row(i));
  r.output = r.weights * V;
  return r;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Attention r = attention(Q, K, V, options);
  return AttentionRow{r.logits.row(i), r.weights.row(i), r.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& w, const Options& options) {
  return attention(X * w.W_q, X * w.W_k, X * w.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index i = 0; i < weights.size(); i++)
    if (weights[i] > 0) h -= weights[i] * log(weights[i]);
  return h;
}

bool output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return r.logits.rows() == Q.rows() and r.logits.cols() == K.rows() and
         r.weights.rows() == Q.rows() and r.weights.cols() == K.rows() and
         r.output.rows() == Q.rows() and r.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); i++)
    if (not (abs(weights.row(i).sum() - 1) < 1e-6)) return false;
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index j = 1; j < weights.cols(); j++)
    if (not weights.col(j).head(j).isZero(0)) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  Matrix difference = before - after;
  for (Index i = 0; i < changed_token; i++)
    if (difference.row(i).norm() != 0) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); i++)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
  return true;
}

}  // namespace attention
