#include <cmath>
#include "attention.hpp"
using namespace Eigen;

namespace attention {

RowVector softmax(const RowVector& logits) {
    RowVector w = logits;
    w.array() -= w.maxCoeff();
    for (Index j = 0; j < w.cols(); j++) w(j) = exp(w(j));
    w /= w.sum();
    return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    AttentionRow r;
    // (n x d)(d x 1) -> n x 1, back to a row
    r.logits = (K * Q.row(i).transpose()).transpose();
    if (options.scaled) r.logits /= sqrt((double)K.rows());   // d_k
    if (options.causal) for (Index j = i + 1; j < K.rows(); j++) r.logits(j) = -INFINITY;
    r.weights = softmax(r.logits);
    r.output = r.weights * V;
    return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention a;
    a.logits.resize(Q.rows(), K.rows());
    a.weights.resize(Q.rows(), K.rows());
    a.output.resize(Q.rows(), V.cols());
    for (Index i = 0; i < Q.rows(); i++) {
        AttentionRow r = attention_row(i, Q, K, V, options);
        a.logits.row(i) = r.logits;
        a.weights.row(i) = r.weights;
        a.output.row(i) = r.output;
    }
    return a;
}

Attention self_attention(const Matrix& X, const Projections& P, const Options& options) {
    return attention(X * P.W_q, X * P.W_k, X * P.W_v, options);
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    ShapeLedger s;
    s.queries = {n, d_k};
    s.keys = {n, d_k};
    s.values = {n, d_v};
    s.logits = {n, n};
    s.weights = {n, n};
    s.output = {n, d_v};
    return s;
}

double entropy(const RowVector& weights) {
    double H = 0;
    for (Index j = 0; j < weights.cols(); j++)
        if (weights(j) != 0) H -= weights(j) * log(weights(j));
    return H;
}

bool output_shapes_match(const Attention& a, const Matrix& Q, const Matrix& K, const Matrix& V) {
    Index n = Q.rows();
    return K.rows() == n && a.logits.rows() == n && a.logits.cols() == n && a.weights.rows() == n
        && a.weights.cols() == n && a.output.rows() == n && a.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
    VectorXd s = weights.rowwise().sum();
    for (double x : s) if (!(fabs(x - 1) < 1e-8)) return false;
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    Matrix upper = weights.triangularView<StrictlyUpper>();
    return upper.isZero(1e-12);
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; i++)
        if (!(before.row(i) - after.row(i)).isZero(1e-10)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++)
        if (!(entropy(scaled_weights.row(i)) > entropy(unscaled_weights.row(i)) - 1e-8)) return false;
    return true;
}

}
