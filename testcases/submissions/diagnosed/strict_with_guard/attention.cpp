#include "attention/attention.hpp"
#include <cmath>
#include <limits>
namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) { return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}}; }

static const double MINUS_INF = -std::numeric_limits<double>::infinity();

RowVector softmax(const RowVector& z) {
  double m = z.maxCoeff();
  if (m == MINUS_INF) return RowVector::Zero(z.size());  // nothing visible: no weights
  RowVector e(z.size());
  for (Index t = 0; t < z.size(); t++) e(t) = std::exp(z(t) - m);
  double s = e.sum();
  return e / s;
}

static bool visible(Index i, Index j, const Options& o) {
  // a token must not see the future
  return !o.causal || j < i;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& o) {
  AttentionRow r{RowVector(K.rows()), RowVector(K.rows()), RowVector(V.cols())};
  double scale = o.scaled ? 1 / std::sqrt(double(K.cols())) : 1;
  for (Index j = 0; j < K.rows(); j++)
    r.logits(j) = visible(i, j, o) ? scale * Q.row(i).dot(K.row(j)) : MINUS_INF;
  r.weights = softmax(r.logits);
  r.output.setZero();
  for (Index j = 0; j < K.rows(); j++)
    r.output += r.weights(j) * V.row(j);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& o) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); i++) {
    AttentionRow r = attention_row(i, Q, K, V, o);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
}

Attention self_attention(const Matrix& X, const Projections& p, const Options& o) {
  return attention(X * p.W_q, X * p.W_k, X * p.W_v, o);
}

double entropy(const RowVector& w) {
  double h = 0;
  for (Index t = 0; t < w.size(); t++) h += w(t) > 0 ? -w(t) * std::log(w(t)) : 0;
  return h;
}

bool output_shapes_match(const Attention& a, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return a.logits.rows() == Q.rows() && a.logits.cols() == K.rows() && a.weights.rows() == Q.rows() &&
         a.weights.cols() == K.rows() && a.output.rows() == Q.rows() && a.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& w) {
  for (Index i = 0; i < w.rows(); i++)
    if (!(std::abs(w.row(i).sum() - 1) < 1e-10)) return false;
  return true;
}

bool future_weights_are_zero(const Matrix& w) {
  double leak = 0;
  for (Index i = 0; i < w.rows(); i++)
    for (Index j = i + 1; j < w.cols(); j++) leak += std::abs(w(i, j));
  return leak == 0;
}

bool past_outputs_unchanged(const Matrix& b, const Matrix& a, Index t) {
  for (Index i = 0; i < t; i++)
    if (!(b.row(i) - a.row(i)).isZero(0)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& s, const Matrix& u) {
  for (Index i = 0; i < s.rows(); i++)
    if (entropy(s.row(i)) < entropy(u.row(i)) - 1e-8) return false;
  return true;
}

}
