#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#define NEG (-std::numeric_limits<double>::infinity())

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    return { {n,d_k}, {n,d_k}, {n,d_v}, {n,n}, {n,n}, {n,d_v} };
}

RowVector softmax(const RowVector& logits) {
    double mx = logits.maxCoeff(), sum = 0;
    RowVector w = logits;
    for (auto& x : w) { x = std::exp(x - mx); sum += x; }
    for (auto& x : w) x /= sum;
    return w;
}

// first version, one query at a time
AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    AttentionRow r;
    r.logits = RowVector::Zero(K.rows());
    for (Index j = 0; j < K.rows(); j++) {
        for (Index k = 0; k < K.cols(); k++) r.logits(j) += Q(i,k) * K(j,k);

        if (options.causal && i < j) r.logits(j) = NEG;
    }
    r.weights = softmax(r.logits);
    r.output = r.weights * V;
    return r;
}

// second version: all at once (faster)
Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention a;
    a.logits = Q * K.transpose();
    if (options.scaled) a.logits = a.logits / std::sqrt((double)Q.cols());
    if (options.causal)
        for (Index i = 0; i < a.logits.rows(); i++)
            for (Index j = i + 1; j < a.logits.cols(); j++) a.logits(i,j) = NEG;
    a.weights = a.logits;
    for (Index i = 0; i < a.logits.rows(); i++) a.weights.row(i) = softmax(a.logits.row(i));
    a.output = a.weights * V;
    return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
    double h = 0;
    for (double w : weights) if (w != 0) h -= w * std::log(w);
    return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    Index n = Q.rows();
    if (result.logits.rows() != n) return false;
    if (result.weights.rows() != n) return false;
    if (result.output.rows() != n) return false;
    if (result.logits.cols() != K.rows()) return false;
    if (result.weights.cols() != K.rows()) return false;
    if (result.output.cols() != V.cols()) return false;
    return true;
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++) {
        double d = weights.row(i).sum() - 1.0;
        if (!(d * d < 1e-18)) return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++)
        for (Index j = 0; j < weights.cols(); j++)
            if (j > i && weights(i,j) != 0.0) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    Index i = 0;
    while (i < changed_token) {
        for (Index c = 0; c < before.cols(); c++)
            if (before(i,c) != after(i,c)) return false;
        i++;
    }
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-11) return false;
    return true;
}

}
