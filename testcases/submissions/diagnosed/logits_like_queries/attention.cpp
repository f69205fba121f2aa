// CS homework 3
#include "attention.hpp"
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace attention {

// shapes:
//   Q (n x d_k), K (n x d_k), V (n x d_v)
//   scores -> weights -> output
ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
    Shape q; q.rows = n; q.cols = d_k;
    Shape v; v.rows = n; v.cols = d_v;
    Shape s; s.rows = n; s.cols = d_k;
    Shape w; w.rows = n; w.cols = n;
    ShapeLedger l;
    l.queries = q;
    l.keys = q;
    l.values = v;
    l.logits = s;
    l.weights = w;
    l.output = v;
    return l;
}

RowVector softmax(const RowVector& logits)
{
    std::vector<double> z(logits.data(), logits.data() + logits.size());
    double m = z[0];
    for (double x : z) if (x > m) m = x;
    for (double& x : z) x = std::exp(x - m);
    double total = std::accumulate(z.begin(), z.end(), 0.0);
    RowVector out(logits.size());
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = z[k] / total;
    return out;
}

static double dot(const Matrix& A, Index i, const Matrix& B, Index j)
{
    double s = 0.0;
    for (Index c = 0; c < A.cols(); ++c) s += A(i, c) * B(j, c);
    return s;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    Index n = Q.rows();
    AttentionRow r;
    r.logits = RowVector::Constant(n, -std::numeric_limits<double>::infinity());
    Index visible = options.causal ? i + 1 : n;
    for (Index j = 0; j < visible; ++j) {
        r.logits[j] = dot(Q, i, K, j);
        if (options.scaled) r.logits[j] /= std::sqrt((double)Q.cols());
    }
    r.weights = softmax(r.logits);
    r.output = RowVector::Zero(V.cols());
    for (Index j = 0; j < n; ++j)
        for (Index c = 0; c < V.cols(); ++c)
            r.output[c] += r.weights[j] * V(j, c);
    return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    Attention a;
    a.logits = Matrix(Q.rows(), K.rows());
    a.weights = Matrix(Q.rows(), K.rows());
    a.output = Matrix(Q.rows(), V.cols());
    for (Index i = 0; i < Q.rows(); ++i) {
        AttentionRow r = attention_row(i, Q, K, V, options);
        a.logits.row(i) = r.logits;
        a.weights.row(i) = r.weights;
        a.output.row(i) = r.output;
    }
    return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
    return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights)
{
    double h = 0.0;
    for (Index j = 0; j < weights.size(); ++j) {
        if (weights[j] == 0.0) continue;
        h -= weights[j] * std::log(weights[j]);
    }
    return h;
}

bool output_shapes_match(const Attention& a, const Matrix& Q, const Matrix& K, const Matrix& V)
{
    if (a.logits.rows() != Q.rows() || a.logits.cols() != K.rows()) return false;
    if (a.weights.rows() != Q.rows() || a.weights.cols() != K.rows()) return false;
    return a.output.rows() == Q.rows() && a.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights)
{
    for (Index i = 0; i < weights.rows(); ++i) {
        double s = 0;
        for (Index j = 0; j < weights.cols(); ++j) s += weights(i, j);
        if (!(std::abs(s - 1.0) < 1e-6)) return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = i + 1; j < weights.cols(); ++j)
            if (weights(i, j) != 0.0) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
    for (Index i = 0; i < changed_token; ++i)
        if (before.row(i) != after.row(i)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-10) return false;
    return true;
}

}
