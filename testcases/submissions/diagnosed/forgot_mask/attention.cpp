#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

// Rows do not depend on each other, so I hand them out to a few threads.

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
    const double top = logits.maxCoeff();
    RowVector weights(logits.size());
    for (Index j = 0; j < logits.size(); ++j) weights(j) = std::exp(logits(j) - top);
    return weights / weights.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    RowVector logits(K.rows());
    for (Index j = 0; j < K.rows(); ++j) {
        if (options.causal && K.rows() <= j) {
            logits(j) = -std::numeric_limits<double>::infinity();
        } else {
            logits(j) = Q.row(i).dot(K.row(j));
            if (options.scaled) logits(j) /= std::sqrt(double(Q.cols()));
        }
    }
    RowVector weights = softmax(logits);
    RowVector output = weights * V;
    return {logits, weights, output};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    Attention a;
    a.logits.resize(Q.rows(), K.rows());
    a.weights.resize(Q.rows(), K.rows());
    a.output.resize(Q.rows(), V.cols());

    const Index worker_count = std::min<Index>(2, Q.rows());
    std::vector<std::thread> workers;
    for (Index worker = 0; worker < worker_count; ++worker) {
        workers.emplace_back([&, worker] {
            for (Index i = worker; i < Q.rows(); i += worker_count) {
                AttentionRow r = attention_row(i, Q, K, V, options);
                a.logits.row(i) = r.logits;      // every thread writes to its own rows only
                a.weights.row(i) = r.weights;
                a.output.row(i) = r.output;
            }
        });
    }
    for (auto& w : workers) w.join();
    return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix Q, K, V;
    std::thread queries([&] { Q = X * projections.W_q; });
    std::thread keys([&] { K = X * projections.W_k; });
    V = X * projections.W_v;
    queries.join();
    keys.join();
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double h = 0;
    for (double w : weights)
        if (w > 0) h -= w * std::log(w);
    return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
    return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
        && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
        && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
    return std::all_of(weights.rowwise().begin(), weights.rowwise().end(),
                       [](const auto& row) { return std::abs(row.sum() - 1) <= 1e-9; });
}

bool future_weights_are_zero(const Matrix& weights) {
    bool zero = true;
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = i + 1; j < weights.cols(); ++j) zero &= weights(i, j) == 0;
    return zero;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    bool same = true;
    for (Index i = 0; i < changed_token; ++i)
        for (Index c = 0; c < before.cols(); ++c) same &= before(i, c) == after(i, c);
    return same;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    bool raises = true;
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        raises &= entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-6;
    return raises;
}

}  // namespace attention
