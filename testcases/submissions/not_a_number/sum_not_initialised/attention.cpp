// attention.cpp
// Each step in its own function, as we did on the blackboard.

#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

namespace step {

Matrix product(const Matrix& Q, const Matrix& K) {
    Matrix S(Q.rows(), K.rows());
    for (Index i = 0; i < Q.rows(); i++) {
        for (Index j = 0; j < K.rows(); j++) {
            S(i, j) = 0.0;
            for (Index k = 0; k < Q.cols(); k++) {
                S(i, j) += Q(i, k) * K(j, k);
            }
        }
    }
    return S;
}

// Var(q.k) = d_k, so the standard deviation is sqrt(d_k)
void scale(Matrix& S, Index d_k) { S /= std::sqrt(static_cast<double>(d_k)); }

void mask(Matrix& S) {
    for (Index i = 0; i < S.rows(); i++) {
        for (Index j = 0; j < S.cols(); j++) {
            if (j > i) {
                S(i, j) = -std::numeric_limits<double>::infinity();
            }
        }
    }
}

Matrix softmax_rows(const Matrix& S) {
    Matrix W(S.rows(), S.cols());
    for (Index i = 0; i < S.rows(); i++) {
        W.row(i) = attention::softmax(S.row(i));
    }
    return W;
}

Matrix weighted_sum(const Matrix& W, const Matrix& V) {
    Matrix O(W.rows(), V.cols());
    for (Index i = 0; i < W.rows(); i++) {
        for (Index j = 0; j < W.cols(); j++) {
            O.row(i) += W(i, j) * V.row(j);
        }
    }
    return O;
}

}  // namespace step

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    ShapeLedger ledger;
    ledger.queries = ledger.keys = Shape{n, d_k};
    ledger.values = ledger.output = Shape{n, d_v};
    ledger.logits = ledger.weights = Shape{n, n};
    return ledger;
}

RowVector softmax(const RowVector& logits) {
    double largest = logits.maxCoeff();
    RowVector e(logits.size());
    for (Index j = 0; j < logits.size(); j++) {
        e(j) = std::exp(logits(j) - largest);
    }
    return e / e.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                    const Options& options) {
    Matrix S = step::product(Q, K);
    if (options.scaled) step::scale(S, Q.cols());
    if (options.causal) step::mask(S);
    Matrix W = step::softmax_rows(S);
    Matrix O = step::weighted_sum(W, V);
    return Attention{S, W, O};
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    Attention everything = attention(Q, K, V, options);
    AttentionRow row;
    row.logits = everything.logits.row(i);
    row.weights = everything.weights.row(i);
    row.output = everything.output.row(i);
    return row;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    Matrix Q = X * projections.W_q;
    Matrix K = X * projections.W_k;
    Matrix V = X * projections.W_v;
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights) {
    double result = 0.0;
    for (Index j = 0; j < weights.size(); j++) {
        if (weights(j) > 0.0) {
            result -= weights(j) * std::log(weights(j));
        }
    }
    return result;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
    return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
        && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
        && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++) {
        if (!(std::abs(weights.row(i).sum() - 1.0) < 1e-9)) {
            return false;
        }
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); i++) {
        for (Index j = i + 1; j < weights.cols(); j++) {
            if (weights(i, j) != 0.0) {
                return false;
            }
        }
    }
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; i++) {
        if (before.row(i) != after.row(i)) {
            return false;
        }
    }
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); i++) {
        if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9)) {
            return false;
        }
    }
    return true;
}

}  // namespace attention
