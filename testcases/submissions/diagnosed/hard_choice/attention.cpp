#include "attention/attention.hpp"
#include <cmath>
#include <limits>
#include <memory>

// Object oriented version. The contract functions at the bottom only forward.

namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;

class Mask {
public:
    virtual ~Mask() = default;
    virtual bool allows(Index query, Index key) const = 0;
    static std::unique_ptr<Mask> create(bool causal);
};

class CausalMask : public Mask {
public:
    bool allows(Index query, Index key) const override { return key <= query; }
};

class NoMask : public Mask {
public:
    bool allows(Index, Index) const override { return true; }
};

std::unique_ptr<Mask> Mask::create(bool causal) {
    if (causal) return std::make_unique<CausalMask>();
    return std::make_unique<NoMask>();
}

class Distribution {
public:
    explicit Distribution(const RowVector& logits) : m_weights(logits.size()) {
        Index best = 0;
        logits.maxCoeff(&best);
        m_weights.setZero();
        m_weights(best) = 1;
    }
    const RowVector& weights() const { return m_weights; }
    RowVector mean(const Matrix& values) const { return m_weights * values; }

private:
    RowVector m_weights;
};

class Head {
public:
    Head(const Matrix& Q, const Matrix& K, const Matrix& V, const attention::Options& options)
        : m_Q(Q), m_K(K), m_V(V), m_mask(Mask::create(options.causal)),
          m_temperature(options.scaled ? std::sqrt(double(K.cols())) : 1.0) {}

    double logit(Index i, Index j) const {
        if (!m_mask->allows(i, j)) return -std::numeric_limits<double>::infinity();
        return m_Q.row(i).dot(m_K.row(j)) / m_temperature;
    }

    attention::AttentionRow row(Index i) const {
        RowVector logits(m_K.rows());
        for (Index j = 0; j < m_K.rows(); ++j) logits(j) = logit(i, j);
        Distribution distribution(logits);
        return {logits, distribution.weights(), distribution.mean(m_V)};
    }

    attention::Attention all() const {
        attention::Attention result;
        result.logits.resize(m_Q.rows(), m_K.rows());
        result.weights.resize(m_Q.rows(), m_K.rows());
        result.output.resize(m_Q.rows(), m_V.cols());
        for (Index i = 0; i < m_Q.rows(); ++i) {
            auto r = row(i);
            result.logits.row(i) = r.logits;
            result.weights.row(i) = r.weights;
            result.output.row(i) = r.output;
        }
        return result;
    }

private:
    const Matrix& m_Q;
    const Matrix& m_K;
    const Matrix& m_V;
    std::unique_ptr<Mask> m_mask;
    double m_temperature;
};

}  // namespace

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
    return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) { return Distribution(logits).weights(); }

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
    return Head(Q, K, V, options).row(i);
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
    return Head(Q, K, V, options).all();
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
    const Matrix Q = X * projections.W_q;
    const Matrix K = X * projections.W_k;
    const Matrix V = X * projections.W_v;
    return Head(Q, K, V, options).all();
}

double entropy(const RowVector& weights) {
    double nats = 0;
    for (Index j = 0; j < weights.size(); ++j)
        nats += weights(j) > 0 ? -weights(j) * std::log(weights(j)) : 0;
    return nats;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
    ShapeLedger expected = shape_ledger(Q.rows(), K.cols(), V.cols());
    ShapeLedger got = expected;
    got.keys = {K.rows(), Q.cols()};
    got.logits = {result.logits.rows(), result.logits.cols()};
    got.weights = {result.weights.rows(), result.weights.cols()};
    got.output = {result.output.rows(), result.output.cols()};
    return got == expected;
}

bool rows_sum_to_one(const Matrix& weights) {
    for (Index i = 0; i < weights.rows(); ++i) {
        bool close = std::abs(weights.row(i).sum() - 1) <= 1e-7;
        if (!close) return false;
    }
    return true;
}

bool future_weights_are_zero(const Matrix& weights) {
    CausalMask mask;
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = 0; j < weights.cols(); ++j)
            if (!mask.allows(i, j) && weights(i, j) != 0) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
    for (Index i = 0; i < changed_token; ++i)
        if (!(before.row(i) - after.row(i)).isZero(1e-9)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
    for (Index i = 0; i < scaled_weights.rows(); ++i) {
        bool raised = entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-7;
        if (!raised) return false;
    }
    return true;
}

}  // namespace attention
