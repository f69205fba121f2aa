// Homework: causal attention
// everything with simple loops, one row at a time

#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    ShapeLedger ledger;
    ledger.queries = Shape{n, d_k};
    ledger.keys    = Shape{n, d_k};
    ledger.values  = Shape{n, d_v};
    ledger.logits  = Shape{n, n};     // Q times K transposed
    ledger.weights = Shape{n, n};     // softmax does not change the shape
    ledger.output  = Shape{n, d_v};
    return ledger;
}

RowVector softmax(const RowVector& logits) {
    const Index n = logits.size();

    // 1. largest logit
    double biggest = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n; j++) {
        if (logits(j) > biggest) biggest = logits(j);
    }

    // 2. exponentials, and their sum
    RowVector result(n);
    double sum = 0;
    for (Index j = 0; j < n; j++) {
        result(j) = std::exp(logits(j) - biggest);
        sum += result(j);
    }

    // 3. normalise
    for (Index j = 0; j < n; j++) {
        result(j) = result(j) / sum;
    }
    return result;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    const Index n = K.rows();
    AttentionRow row;

    row.logits.resize(n);
    for (Index j = 0; j < n; j++) {
        double dot = 0;
        for (Index c = 0; c < Q.cols(); c++) {
            dot += Q(i, c) * K(j, c);
        }
        if (options.scaled) dot = dot / std::sqrt(double(Q.cols()));
        row.logits(j) = dot;
    }

    row.weights = softmax(row.logits);
    if (options.causal) {
        double rest = 0;
        for (Index j = 0; j < n; j++) {
            if (j > i) row.weights(j) = 0;
            rest += row.weights(j);
        }
        for (Index j = 0; j < n; j++) row.weights(j) /= rest;
    }

    row.output.resize(V.cols());
    for (Index c = 0; c < V.cols(); c++) {
        double sum = 0;
        for (Index j = 0; j < n; j++) {
            sum += row.weights(j) * V(j, c);
        }
        row.output(c) = sum;
    }
    return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    const Index n = Q.rows();
    Attention all;
    all.logits.resize(n, n);
    all.weights.resize(n, n);
    all.output.resize(n, V.cols());
    for (Index i = 0; i < n; i++) {
        AttentionRow one = attention_row(i, Q, K, V, options);
        for (Index j = 0; j < n; j++) {
            all.logits(i, j) = one.logits(j);
            all.weights(i, j) = one.weights(j);
        }
        for (Index c = 0; c < V.cols(); c++) all.output(i, c) = one.output(c);
    }
    return all;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix Q = X * projections.W_q;
    Matrix K = X * projections.W_k;
    Matrix V = X * projections.W_v;
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double h = 0;
    for (Index j = 0; j < weights.size(); j++) {
        // 0 log 0 = 0
        if (weights(j) > 0) h -= weights(j) * std::log(weights(j));
    }
    return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
    if (result.logits.rows() != Q.rows()) return false;
    if (result.logits.cols() != K.rows()) return false;
    if (result.weights.rows() != Q.rows()) return false;
    if (result.weights.cols() != K.rows()) return false;
    if (result.output.rows() != Q.rows()) return false;
    if (result.output.cols() != V.cols()) return false;
    return true;
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++) {
        double sum = 0;
        for (Index j = 0; j < weights.cols(); j++) sum += weights(i, j);
        // written this way round so that NaN is not ok
        bool ok = std::fabs(sum - 1.0) < 1e-9;
        if (!ok) return false;
    }
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
        for (Index c = 0; c < before.cols(); c++)
            if (before(i, c) != after(i, c)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++) {
        double with = entropy(scaled_weights.row(i));
        double without = entropy(unscaled_weights.row(i));
        if (with < without) return false;
    }
    return true;
}

}  // namespace attention
