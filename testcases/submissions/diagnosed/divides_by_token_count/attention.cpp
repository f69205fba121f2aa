#include "attention/attention.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

// I keep everything in plain arrays because I am used to C.

using namespace attention;

static void c_softmax(const double *in, double *out, long n) {
  double max = -INFINITY;
  for (long j = 0; j < n; j++) max = fmax(max, in[j]);
  double sum = 0;
  for (long j = 0; j < n; j++) sum += (out[j] = exp(in[j] - max));
  for (long j = 0; j < n; j++) out[j] /= sum;
}

static void c_scores(const double *q, const double *k, double *out, long i, long n, long d, bool causal, double factor) {
  for (long j = 0; j < n; j++) {
    if (causal && j > i) {
      out[j] = -INFINITY;
    } else {
      double acc = 0;
      for (long c = 0; c < d; c++) acc += q[i * d + c] * k[j * d + c];
      out[j] = acc * factor;
    }
  }
}

static void c_mix(const double *w, const double *v, double *out, long n, long d) {
  std::fill(out, out + d, 0.0);
  for (long j = 0; j < n; j++)
    for (long c = 0; c < d; c++) out[c] += w[j] * v[j * d + c];
}

ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger s = {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
  return s;
}

RowVector attention::softmax(const RowVector &logits) {
  RowVector w(logits.cols());
  c_softmax(logits.data(), w.data(), logits.cols());
  return w;
}

Attention attention::attention(const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  long n = Q.rows(), d = Q.cols();
  double factor = options.scaled ? 1.0 / n : 1.0;   // average, so that it does not grow
  Attention r{Matrix(n, n), Matrix(n, n), Matrix(n, V.cols())};
  for (long i = 0; i < n; i++) {
    c_scores(Q.data(), K.data(), &r.logits(i, 0), i, n, d, options.causal, factor);
    c_softmax(&r.logits(i, 0), &r.weights(i, 0), n);
    c_mix(&r.weights(i, 0), V.data(), &r.output(i, 0), n, V.cols());
  }
  return r;
}

AttentionRow attention::attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options) {
  struct Attention a = attention(Q, K, V, options);
  AttentionRow row;
  row.logits = a.logits.row(i);
  row.weights = a.weights.row(i);
  row.output = a.output.row(i);
  return row;
}

Attention attention::self_attention(const Matrix &X, const Projections &p, const Options &options) {
  Matrix Q = X * p.W_q;
  Matrix K = X * p.W_k;
  Matrix V = X * p.W_v;
  return attention(Q, K, V, options);
}

double attention::entropy(const RowVector &weights) {
  double sum = 0;
  const double *w = weights.data();
  for (long j = 0; j < weights.cols(); j++)
    if (w[j] > 0) sum += w[j] * log(w[j]);
  return -sum;
}

static int same_size(const Matrix &m, long rows, long cols) { return m.rows() == rows && m.cols() == cols; }

bool attention::output_shapes_match(const Attention &result, const Matrix &Q, const Matrix &K, const Matrix &V) {
  long n = Q.rows();
  return same_size(result.logits, n, K.rows()) && same_size(result.weights, n, K.rows()) && same_size(result.output, n, V.cols());
}

bool attention::rows_sum_to_one(const Matrix &weights) {
  for (long i = 0; i < weights.rows(); i++) {
    double sum = 0;
    for (long j = 0; j < weights.cols(); j++) sum += weights(i, j);
    if (!(fabs(sum - 1) <= 1e-8)) return false;
  }
  return true;
}

bool attention::future_weights_are_zero(const Matrix &weights) {
  for (long i = 0; i < weights.rows(); i++)
    for (long j = i + 1; j < weights.cols(); j++)
      if (!(fabs(weights(i, j)) <= 1e-12)) return false;
  return true;
}

bool attention::past_outputs_unchanged(const Matrix &before, const Matrix &after, Index changed_token) {
  for (long i = 0; i < changed_token; i++)
    for (long c = 0; c < before.cols(); c++)
      if (!(fabs(before(i, c) - after(i, c)) <= 1e-12)) return false;
  return true;
}

bool attention::scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights) {
  for (long i = 0; i < scaled_weights.rows(); i++)
    if (entropy(scaled_weights.row(i)) + 1e-9 < entropy(unscaled_weights.row(i))) return false;
  return true;
}
