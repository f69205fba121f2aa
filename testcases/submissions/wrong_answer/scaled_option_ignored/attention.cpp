#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <algorithm>

using std::sqrt; using std::exp; using std::log; using std::abs;

namespace attention {

static const double neg_inf = -std::numeric_limits<double>::infinity();

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    Shape qk = {n, d_k}, vo = {n, d_v}, nn = {n, n};
    return {qk, qk, vo, nn, nn, vo};
}

RowVector softmax(const RowVector& logits) {
    RowVector e(logits.size());
    double m = *std::max_element(logits.begin(), logits.end());
    std::transform(logits.begin(), logits.end(), e.begin(), [m](double z) { return exp(z - m); });
    return e / e.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    AttentionRow out;
    out.logits = RowVector::Zero(K.rows());
    for (Index j = 0; j < K.rows(); ++j) {
        const bool hidden = options.causal && j > i;
        // dot product over sqrt(d_k)
        out.logits(j) = hidden ? neg_inf : Q.row(i).dot(K.row(j)) / sqrt(double(K.cols()));
    }
    out.weights = softmax(out.logits);
    out.output = RowVector::Zero(V.cols());
    for (Index j = 0; j < V.rows(); ++j) out.output += out.weights(j) * V.row(j);
    return out;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    const Index n = Q.rows();
    Attention out{Matrix::Zero(n, n), Matrix::Zero(n, n), Matrix::Zero(n, V.cols())};
    for (Index i = 0; i < n; ++i) {
        const AttentionRow r = attention_row(i, Q, K, V, options);
        out.logits.row(i) = r.logits;
        out.weights.row(i) = r.weights;
        out.output.row(i) = r.output;
    }
    return out;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    const Matrix Q = X * projections.W_q, K = X * projections.W_k, V = X * projections.W_v;
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double h = 0;
    for (double w : weights) h -= w > 0 ? w * log(w) : 0.0;
    return h;
}

bool output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K, const Matrix& V) {
    auto is = [](const Matrix& m, Shape s) { return Shape{m.rows(), m.cols()} == s; };
    return is(r.logits, {Q.rows(), K.rows()}) && is(r.weights, {Q.rows(), K.rows()}) &&
           is(r.output, {Q.rows(), V.cols()});
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); ++i)
        if (!(abs(weights.row(i).sum() - 1) <= 1e-6)) return false;
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = i + 1; j < weights.cols(); ++j)
            if (!(weights(i, j) == 0)) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; ++i)
        if (!before.row(i).cwiseEqual(after.row(i)).all()) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        if (!(entropy(scaled_weights.row(i)) + 1e-6 >= entropy(unscaled_weights.row(i)))) return false;
    return true;
}

}
