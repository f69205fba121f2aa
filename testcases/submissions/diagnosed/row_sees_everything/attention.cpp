// causal attention, student version 3
//
// sqrt(d_k) is split evenly: q / d^(1/4) dot k / d^(1/4). That way the products stay small.

#include "attention/attention.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace attention
{

namespace
{
    double fourth_root(Index d)
    {
        return std::sqrt(std::sqrt(static_cast<double>(d)));
    }

    void softmax_in_place(Eigen::Ref<RowVector> row)
    {
        row.array() -= row.maxCoeff();
        row = row.array().exp().matrix().eval();
        row /= row.sum();
    }
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
    return ShapeLedger{
        Shape{n, d_k},      // Q
        Shape{n, d_k},      // K
        Shape{n, d_v},      // V
        Shape{n, n},        // Q K^T
        Shape{n, n},        // softmax
        Shape{n, d_v}       // weights V
    };
}

RowVector softmax(const RowVector& logits)
{
    RowVector copy = logits;
    softmax_in_place(copy);
    return copy;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options)
{
    // just this one query, so no need for the whole n x n matrix
    const double root = options.scaled ? fourth_root(Q.cols()) : 1.0;
    const RowVector query = Q.row(i) / root;

    AttentionRow result;
    result.logits = query * (K / root).transpose();
    result.weights = softmax(result.logits);
    result.output = result.weights * V;
    return result;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    const double root = options.scaled ? fourth_root(Q.cols()) : 1.0;
    const Matrix small_q = Q / root;
    const Matrix small_k = K / root;

    Attention result;
    result.logits = small_q * small_k.transpose();
    if (options.causal) {
        for (Index i = 0; i < Q.rows(); ++i) {
            const Index future = K.rows() - 1 - i;
            result.logits.row(i).tail(future).setConstant(-std::numeric_limits<double>::infinity());
        }
    }
    result.weights = result.logits;
    for (Index i = 0; i < result.weights.rows(); ++i)
        softmax_in_place(result.weights.row(i));
    result.output = result.weights * V;
    return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
    return attention((X * projections.W_q).eval(), (X * projections.W_k).eval(),
                     (X * projections.W_v).eval(), options);
}

double entropy(const RowVector& weights)
{
    return std::accumulate(weights.begin(), weights.end(), 0.0, [](double sum, double w) {
        return w > 0.0 ? sum - w * std::log(w) : sum;
    });
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
    const bool logits_ok = result.logits.rows() == Q.rows() && result.logits.cols() == K.rows();
    const bool weights_ok = result.weights.rows() == Q.rows() && result.weights.cols() == K.rows();
    const bool output_ok = result.output.rows() == Q.rows() && result.output.cols() == V.cols();
    return logits_ok && weights_ok && output_ok;
}

bool rows_sum_to_one(const Matrix& weights)
{
    const Eigen::VectorXd sums = weights.rowwise().sum();
    return sums.isApproxToConstant(1.0, 1e-7);
}

bool future_weights_are_zero(const Matrix& weights)
{
    Index bad = 0;
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = 0; j < weights.cols(); ++j)
            if (j > i && weights(i, j) != 0.0)
                ++bad;
    return bad == 0;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
    Index bad = 0;
    for (Index i = 0; i < changed_token; ++i)
        for (Index c = 0; c < before.cols(); ++c)
            if (!(std::abs(before(i, c) - after(i, c)) <= 1e-12))
                ++bad;
    return bad == 0;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
    Index bad = 0;
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        if (entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i)) < -1e-10)
            ++bad;
    return bad == 0;
}

}
