#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector& logits) {
    double largest = logits(0);
    for (Index j = 1; j < logits.size(); j++) largest = std::max(largest, logits(j));
    RowVector w(logits.size());
    double sum = 0;
    for (Index j = 0; j < logits.size(); j++) {
        w(j) = std::exp(logits(j) - largest);
        sum = sum + w(j);
    }
    w /= sum;
    return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    const Index n = K.rows();
    AttentionRow r;
    r.logits = RowVector::Constant(n, -std::numeric_limits<double>::infinity());
    Index last = n - 1;
    if (options.causal) last = i;
    for (Index j = 0; j <= last; j++) {
        double s = 0;
        for (Index t = 0; t < Q.cols(); t++) s += Q(i, t) * K(j, t);
        if (options.scaled) s /= std::sqrt((double)Q.cols());
        r.logits(j) = s;
    }
    r.weights = softmax(r.logits);
    r.output = RowVector::Zero(V.cols());
    for (Index j = 0; j <= last; j++)
        for (Index t = 0; t < V.cols(); t++) r.output(t) += r.weights(j) * V(j, t);
    return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention a;
    a.logits.resize(Q.rows(), K.rows());
    a.weights.resize(Q.rows(), K.rows());
    a.output.resize(Q.rows(), V.cols());
    for (Index i = 0; i < Q.rows(); i++) {
        const AttentionRow r = attention_row(i, Q, K, V, options);
        a.logits.row(i) = r.logits;
        a.weights.row(i) = r.weights;
        a.output.row(i) = r.output;
    }
    return a;
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

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix Q = X * projections.W_q;
    Matrix K = X * projections.W_k;
    Matrix V = X * projections.W_v;
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double sum = 0;
    for (Index j = 0; j < weights.size(); j++) {
        if (weights(j) == 0) continue;   // 0 * log(0) is 0
        sum -= weights(j) * std::log(weights(j));
    }
    return sum;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    if (result.logits.rows() != Q.rows() || result.logits.cols() != K.rows()) return false;
    if (result.weights.rows() != Q.rows() || result.weights.cols() != K.rows()) return false;
    if (result.output.rows() != Q.rows() || result.output.cols() != V.cols()) return false;
    return true;
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++) {
        double sum = 0;
        for (Index j = 0; j < weights.cols(); j++) sum += weights(i, j);
        if (!(std::abs(sum - 1.0) < 0.01)) return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++)
        for (Index j = i + 1; j < weights.cols(); j++)
            if (!(std::abs(weights(i, j)) < 1e-12)) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; i++)
        for (Index t = 0; t < before.cols(); t++)
            if (!(std::abs(before(i, t) - after(i, t)) < 1e-9)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-10) return false;
    return true;
}

}  // namespace attention
