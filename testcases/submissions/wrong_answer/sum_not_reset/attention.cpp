#include <cstdlib>
#include <cmath>
#include <attention.hpp>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    ShapeLedger ret;
    ret.queries.rows = ret.keys.rows = ret.values.rows = n;
    ret.logits.rows = ret.weights.rows = ret.output.rows = n;
    ret.queries.cols = ret.keys.cols = d_k;
    ret.values.cols = ret.output.cols = d_v;
    ret.logits.cols = ret.weights.cols = n;
    return ret;
}

RowVector softmax(const RowVector& logits) {
    double mx = -INFINITY;
    for (double z : logits) if (z > mx) mx = z;
    double sum = 0;
    RowVector ret(logits.size());
    for (Index j = 0; j < logits.size(); j++) sum += (ret[j] = std::exp(logits[j] - mx));
    for (double& r : ret) r /= sum;
    return ret;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    AttentionRow ret;
    ret.logits = Q.row(i) * K.transpose();
    if (options.scaled) ret.logits = ret.logits / std::sqrt(Q.cols());
    if (options.causal)
        for (Index j = 0; j < K.rows(); j++)
            if (j > i) ret.logits[j] = -INFINITY;
    ret.weights = softmax(ret.logits);
    ret.output = ret.weights * V;
    return ret;
}

// all rows in one go, that saves calling softmax n times

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention ret;
    ret.logits.resize(Q.rows(), K.rows());
    ret.weights.resize(Q.rows(), K.rows());
    double sum = 0;
    for (Index i = 0; i < Q.rows(); i++) {
        ret.logits.row(i) = attention_row(i, Q, K, V, options).logits;
        double mx = ret.logits.row(i).maxCoeff();
        for (Index j = 0; j < K.rows(); j++) {
            ret.weights(i, j) = std::exp(ret.logits(i, j) - mx);
            sum += ret.weights(i, j);
        }
        ret.weights.row(i) /= sum;
    }
    ret.output = ret.weights * V;
    return ret;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
    double ret = 0;
    for (double w : weights) if (w > 0) ret -= w * std::log(w);
    return ret;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    bool ret = true;
    ret = ret && result.logits.rows() == Q.rows() && result.logits.cols() == K.rows();
    ret = ret && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows();
    ret = ret && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
    return ret;
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++)
        if (!(std::abs(weights.row(i).sum() - 1) < 1e-9)) return false;
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++)
        for (Index j = i + 1; j < weights.cols(); j++)
            if (weights(i, j) != 0) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; i++)
        if (before.row(i) != after.row(i)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
    return true;
}

}
