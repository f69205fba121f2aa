#include "attention/attention.hpp"
#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    return ShapeLedger{Shape{n, d_k}, Shape{n, d_k}, Shape{n, d_v}, Shape{n, n}, Shape{n, n}, Shape{n, d_v}};
}

RowVector softmax(const RowVector& logits) {
    RowVector out = logits;
    out.array() -= out.maxCoeff();
    out = out.array().exp().matrix();
    out /= out.sum();
    return out;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Index n = K.rows();
    double d_k = K.cols();
    RowVector logits(n);
    for (Index j = 0; j < n; ++j) {
        logits(j) = Q.row(i).dot(K.row(j))  / std::sqrt(d_k);

        if (options.causal && j > i) logits(j) = -std::numeric_limits<double>::infinity();
    }
    RowVector weights = softmax(logits);
    RowVector output = RowVector::Zero(V.cols());
    for (Index j = 0; j < n; ++j) output += weights(j) * V.row(j);
    return AttentionRow{logits, weights, output};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Index n = Q.rows();
    Matrix logits(n, n), weights(n, n), output(n, V.cols());
    for (Index i = 0; i < n; ++i) {
        AttentionRow row = attention_row(i, Q, K, V, options);
        logits.row(i) = row.logits;
        weights.row(i) = row.weights;
        output.row(i) = row.output;
    }
    return Attention{logits, weights, output};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix Q = X * projections.W_q, K = X * projections.W_k, V = X * projections.W_v;
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double H = 0;
    for (Index j = 0; j < weights.size(); ++j) {
        if (weights(j) <= 0) continue;
        H -= weights(j) * std::log(weights(j));
    }
    return H;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    Index n = Q.rows();
    return result.logits.rows() == n && result.logits.cols() == K.rows() && result.weights.rows() == n &&
           result.weights.cols() == K.rows() && result.output.rows() == n && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); ++i) {
        double sum = weights.row(i).sum();
        if (std::abs(sum - 1.0) < 1e-9)
            return true;
        else
            return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); ++i) {
        for (Index j = i + 1; j < weights.cols(); ++j) {
            if (weights(i, j) != 0) return false;
        }
    }
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; ++i) {
        for (Index c = 0; c < after.cols(); ++c) {
            if (before(i, c) != after(i, c)) return false;
        }
    }
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); ++i) {
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
    }
    return true;
}

}  // namespace attention
