#include <bits/stdc++.h>
#include "attention/attention.hpp"
using namespace std;

#define REP(i, n) for (long i = 0; i < (n); ++i)
using ld = double;
const double INF = numeric_limits<double>::infinity();

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n,d_k},{n,d_k},{n,d_v},{n,n},{n,n},{n,d_v}};
}

RowVector softmax(const RowVector& z) {
  ld mx = -1e9, s = 0;
  REP(j, z.size()) mx = max<ld>(mx, z(j));
  vector<ld> e(z.size());
  REP(j, z.size()) s += e[j] = exp(z(j) - mx);
  RowVector w(z.size());
  REP(j, z.size()) w(j) = double(e[j] / s);
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& o) {
  long n = K.rows(), d = K.cols();
  AttentionRow r{RowVector(n), RowVector(n), RowVector(V.cols())};
  REP(j, n) {
    if (o.causal && j > i) { r.logits(j) = -INF; continue; }
    ld s = 0;
    REP(c, d) s += ld(Q(i, c)) * K(j, c);
    r.logits(j) = double(o.scaled ? s / sqrt(d) : s);
  }
  r.weights = softmax(r.logits);
  REP(c, V.cols()) {
    ld s = 0;
    REP(j, n) s += ld(r.weights(j)) * V(j, c);
    r.output(c) = double(s);
  }
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& o) {
  long n = Q.rows();
  Attention a{Matrix(n, n), Matrix(n, n), Matrix(n, V.cols())};
  REP(i, n) {
    auto r = attention_row(i, Q, K, V, o);
    a.logits.row(i) = r.logits; a.weights.row(i) = r.weights; a.output.row(i) = r.output;
  }
  return a;
}

Attention self_attention(const Matrix& X, const Projections& p, const Options& o) {
  return attention(X * p.W_q, X * p.W_k, X * p.W_v, o);
}

double entropy(const RowVector& w) {
  ld h = 0;
  REP(j, w.size()) if (w(j) > 0) h -= ld(w(j)) * log(w(j));
  return double(h);
}

bool output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
  auto t = [](const Matrix& m) { return make_tuple(m.rows(), m.cols()); };
  return t(r.logits) == make_tuple(Q.rows(), K.rows()) && t(r.weights) == t(r.logits) &&
         t(r.output) == make_tuple(Q.rows(), V.cols());
}

bool rows_sum_to_one(const Matrix& w) {
  REP(i, w.rows()) { ld s = 0; REP(j, w.cols()) s += w(i, j); if (!(fabs(s - 1) < 1e-12)) return false; }
  return true;
}

bool future_weights_are_zero(const Matrix& w) {
  REP(i, w.rows()) REP(j, w.cols()) if (j > i && w(i, j) != 0) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& a, const Matrix& b, Index t) {
  REP(i, t) REP(c, a.cols()) if (a(i, c) != b(i, c)) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& s, const Matrix& u) {
  REP(i, s.rows()) if (entropy(s.row(i)) < entropy(u.row(i))) return false;
  return true;
}

}
