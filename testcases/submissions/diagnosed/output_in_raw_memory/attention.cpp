#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

RowVector softmax(const RowVector& logits) {
    const Index n = logits.size();
    double max = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n; j++) max = std::fmax(max, logits(j));
    RowVector w(n);
    double sum = 0;
    for (Index j = 0; j < n; j++) sum += w(j) = std::exp(logits(j) - max);
    return w / sum;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    AttentionRow r;
    r.logits.resize(K.rows());
    for (Index j = 0; j < K.rows(); j++) {
        if (j > i && options.causal) {
            r.logits(j) = -std::numeric_limits<double>::infinity();
        } else {
            double dot = 0;
            for (Index t = 0; t < Q.cols(); t++) dot += Q(i, t) * K(j, t);
            r.logits(j) = options.scaled ? dot / std::sqrt((double)Q.cols()) : dot;
        }
    }
    r.weights = softmax(r.logits);
    double* out = new double[V.cols()];
    for (Index t = 0; t < V.cols(); t++)
        for (Index j = 0; j < K.rows(); j++) out[t] += r.weights(j) * V(j, t);
    r.output = RowVector::Map(out, V.cols());
    delete[] out;
    return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
    for (Index i = 0; i < Q.rows(); i++) {
        AttentionRow r = attention_row(i, Q, K, V, options);
        for (Index j = 0; j < K.rows(); j++) {
            a.logits(i, j) = r.logits(j);
            a.weights(i, j) = r.weights(j);
        }
        for (Index t = 0; t < V.cols(); t++) a.output(i, t) = r.output(t);
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
        if (!(std::abs(sum - 1.0) < 1e-8)) return false;
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
