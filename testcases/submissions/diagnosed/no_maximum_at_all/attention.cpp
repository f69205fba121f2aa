/* attention.cpp - plain C inside, Eigen only at the border */
#include "attention/attention.hpp"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* dot product of two rows of length d */
static double dot(const double *a, const double *b, long d)
{
    double s = 0.0;
    while (d-- > 0)
        s += *a++ * *b++;
    return s;
}

/* z[0..n) -> w[0..n) */
static void c_softmax(const double *z, double *w, long n)
{
    long j;
    double m = -HUGE_VAL, s = 0.0;
    for (j = 0; j < n; ++j)
        if (z[j] > m)
            m = z[j];
    for (j = 0; j < n; ++j)
        s += w[j] = exp(z[j]);
    for (j = 0; j < n; ++j)
        w[j] /= s;
}

static void c_row(long i, long n, long dk, long dv, const double *q, const double *k,
                  const double *v, int causal, int scaled, double *z, double *w, double *o)
{
    long j, c;
    const double scale = scaled ? sqrt((double)dk) : 1.0;
    for (j = 0; j < n; ++j)
        z[j] = causal && j > i ? -HUGE_VAL : dot(q + i * dk, k + j * dk, dk) / scale;
    c_softmax(z, w, n);
    memset(o, 0, (size_t)dv * sizeof *o);
    for (j = 0; j < n; ++j) {
        if (w[j] == 0.0)
            continue;
        for (c = 0; c < dv; ++c)
            o[c] += w[j] * v[j * dv + c];
    }
}

/* c = a * b, (n x m) * (m x p); the caller frees it */
static double *c_product(const double *a, const double *b, long n, long m, long p)
{
    long i, t, j;
    double *c = (double *)calloc((size_t)(n * p), sizeof(double));
    if (!c)
        abort();
    for (i = 0; i < n; ++i)
        for (t = 0; t < m; ++t)
            for (j = 0; j < p; ++j)
                c[i * p + j] += a[i * m + t] * b[t * p + j];
    return c;
}

static void c_attention(long n, long dk, long dv, const double *q, const double *k, const double *v,
                        int causal, int scaled, double *z, double *w, double *o)
{
    long i;
    for (i = 0; i < n; ++i)
        c_row(i, n, dk, dv, q, k, v, causal, scaled, z + i * n, w + i * n, o + i * dv);
}

/* ---------------------------------------------------------------- the contract */

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
    ShapeLedger l = { { n, d_k }, { n, d_k }, { n, d_v }, { n, n }, { n, n }, { n, d_v } };
    return l;
}

RowVector softmax(const RowVector &logits)
{
    long n = logits.size();
    double *w = (double *)malloc((size_t)n * sizeof *w);
    c_softmax(logits.data(), w, n);
    RowVector result = Eigen::Map<RowVector>(w, n);
    free(w);
    return result;
}

AttentionRow attention_row(Index i, const Matrix &Q, const Matrix &K, const Matrix &V,
                           const Options &options)
{
    AttentionRow r;
    r.logits.resize(K.rows());
    r.weights.resize(K.rows());
    r.output.resize(V.cols());
    c_row(i, K.rows(), K.cols(), V.cols(), Q.data(), K.data(), V.data(), options.causal,
          options.scaled, r.logits.data(), r.weights.data(), r.output.data());
    return r;
}

Attention attention(const Matrix &Q, const Matrix &K, const Matrix &V, const Options &options)
{
    long n = Q.rows();
    Attention a;
    a.logits.resize(n, n);
    a.weights.resize(n, n);
    a.output.resize(n, V.cols());
    c_attention(n, Q.cols(), V.cols(), Q.data(), K.data(), V.data(), options.causal, options.scaled,
                a.logits.data(), a.weights.data(), a.output.data());
    return a;
}

Attention self_attention(const Matrix &X, const Projections &p, const Options &options)
{
    long n = X.rows(), dm = X.cols(), dk = p.W_q.cols(), dv = p.W_v.cols();
    double *q = c_product(X.data(), p.W_q.data(), n, dm, dk);
    double *k = c_product(X.data(), p.W_k.data(), n, dm, dk);
    double *v = c_product(X.data(), p.W_v.data(), n, dm, dv);
    Attention a;
    a.logits.resize(n, n);
    a.weights.resize(n, n);
    a.output.resize(n, dv);
    c_attention(n, dk, dv, q, k, v, options.causal, options.scaled, a.logits.data(),
                a.weights.data(), a.output.data());
    free(q);
    free(k);
    free(v);
    return a;
}

double entropy(const RowVector &weights)
{
    double h = 0.0;
    for (long j = 0; j < weights.size(); ++j) {
        double w = weights.data()[j];
        if (w > 0.0)
            h -= w * log(w);
    }
    return h;
}

bool output_shapes_match(const Attention &r, const Matrix &Q, const Matrix &K, const Matrix &V)
{
    return r.logits.rows() == Q.rows() && r.logits.cols() == K.rows() &&
           r.weights.rows() == Q.rows() && r.weights.cols() == K.rows() &&
           r.output.rows() == Q.rows() && r.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix &weights)
{
    const double *w = weights.data();
    for (long i = 0; i < weights.rows(); ++i) {
        double s = 0.0;
        for (long j = 0; j < weights.cols(); ++j)
            s += *w++;
        if (!(fabs(s - 1.0) <= 1e-12))
            return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix &weights)
{
    long n = weights.cols();
    for (long at = 0; at < weights.size(); ++at)
        if (at % n > at / n && weights.data()[at] != 0.0)
            return false;
    return true;
}

bool past_outputs_unchanged(const Matrix &before, const Matrix &after, Index changed_token)
{
    /* every bit has to be the same */
    size_t bytes = (size_t)(changed_token * before.cols()) * sizeof(double);
    return bytes == 0 || memcmp(before.data(), after.data(), bytes) == 0;
}

bool scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights)
{
    for (long i = 0; i < scaled_weights.rows(); ++i)
        if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9))
            return false;
    return true;
}

}  // namespace attention
