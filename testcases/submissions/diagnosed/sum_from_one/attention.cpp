#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    ShapeLedger led;
    led.queries.rows = n;
    led.queries.cols = d_k;
    led.keys.rows = n;
    led.keys.cols = d_k;
    led.values.rows = n;
    led.values.cols = d_v;
    led.logits.rows = n;
    led.logits.cols = n;
    led.weights.rows = n;
    led.weights.cols = n;
    led.output.rows = n;
    led.output.cols = d_v;
    return led;
}

RowVector softmax(const RowVector& logits) {
    // the maximum
    double max = logits(0);
    for (Index j = 1; j < logits.size(); ++j) {
        if (logits(j) > max) {
            max = logits(j);
        }
    }
    // exponentials
    RowVector e(logits.size());
    for (Index j = 0; j < logits.size(); ++j) {
        e(j) = std::exp(logits(j) - max);
    }
    // the sum
    double sum = 0;
    for (Index j = 1; j < logits.size(); ++j) {
        sum += e(j);
    }
    // normalise
    for (Index j = 0; j < logits.size(); ++j) {
        e(j) /= sum;
    }
    return e;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    AttentionRow row;
    row.logits = RowVector(K.rows());
    for (Index j = 0; j < K.rows(); ++j) {
        double s = 0;
        for (Index c = 0; c < K.cols(); ++c) {
            s += Q(i, c) * K(j, c);
        }
        if (options.scaled) {
            s /= std::sqrt((double)K.cols());
        }
        if (options.causal) {
            if (j > i) {
                s = -std::numeric_limits<double>::infinity();
            }
        }
        row.logits(j) = s;
    }
    row.weights = softmax(row.logits);
    row.output = RowVector::Zero(V.cols());
    for (Index c = 0; c < V.cols(); ++c) {
        for (Index j = 0; j < V.rows(); ++j) {
            row.output(c) += row.weights(j) * V(j, c);
        }
    }
    return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention result;
    result.logits = Matrix::Zero(Q.rows(), K.rows());
    result.weights = Matrix::Zero(Q.rows(), K.rows());
    result.output = Matrix::Zero(Q.rows(), V.cols());
    for (Index i = 0; i < Q.rows(); ++i) {
        AttentionRow row = attention_row(i, Q, K, V, options);
        result.logits.row(i) = row.logits;
        result.weights.row(i) = row.weights;
        result.output.row(i) = row.output;
    }
    return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix queries = X * projections.W_q;
    Matrix keys = X * projections.W_k;
    Matrix values = X * projections.W_v;
    return attention(queries, keys, values, options);
}

double entropy(const RowVector& weights) {
    double h = 0;
    for (Index j = 0; j < weights.size(); ++j) {
        double p = weights(j);
        if (p > 0) {
            h = h - p * std::log(p);
        }
    }
    return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    bool ok = true;
    ok = ok && result.logits.rows() == Q.rows();
    ok = ok && result.logits.cols() == K.rows();
    ok = ok && result.weights.rows() == Q.rows();
    ok = ok && result.weights.cols() == K.rows();
    ok = ok && result.output.rows() == Q.rows();
    ok = ok && result.output.cols() == V.cols();
    return ok;
}

bool rows_sum_to_one(const Matrix& weights) {
    bool ok = true;
    for (Index i = 0; i < weights.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < weights.cols(); ++j) {
            sum += weights(i, j);
        }
        bool close = std::abs(sum - 1) < 1e-7;
        ok = ok && close;
    }
    return ok;
}

bool future_weights_are_zero(const Matrix& weights) {
    bool ok = true;
    for (Index i = 0; i < weights.rows(); ++i) {
        for (Index j = 0; j < weights.cols(); ++j) {
            if (j > i) {
                ok = ok && weights(i, j) == 0;
            }
        }
    }
    return ok;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    bool ok = true;
    for (Index i = 0; i < changed_token; ++i) {
        for (Index c = 0; c < before.cols(); ++c) {
            ok = ok && before(i, c) == after(i, c);
        }
    }
    return ok;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    bool ok = true;
    for (Index i = 0; i < scaled_weights.rows(); ++i) {
        double s = entropy(scaled_weights.row(i));
        double u = entropy(unscaled_weights.row(i));
        ok = ok && s >= u - 1e-9;
    }
    return ok;
}

}  // namespace attention
