#include "attention/attention.hpp"
#include <cmath>
#include <limits>

using namespace attention;

namespace
{
const double kMasked = -std::numeric_limits<double>::infinity();

// a token may only look at the tokens BEFORE it
bool visible(Index query, Index key) { return key < query; }
}

ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v)
{
    return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector attention::softmax(const RowVector& logits)
{
    const double m = logits.maxCoeff();
    RowVector w(logits.size());
    for (Index j = 0; j < w.size(); ++j)
        w(j) = std::exp(logits(j) - m);
    return w / w.sum();
}

AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                                      const Options& options)
{
    AttentionRow row;
    row.logits.resize(K.rows());
    for (Index j = 0; j < K.rows(); ++j)
    {
        if (options.causal && !visible(i, j))
        {
            row.logits(j) = kMasked;
            continue;
        }
        row.logits(j) = Q.row(i).dot(K.row(j));
        if (options.scaled)
            row.logits(j) /= std::sqrt(double(Q.cols()));
    }
    row.weights = attention::softmax(row.logits);
    row.output = row.weights * V;
    return row;
}

Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                               const Options& options)
{
    Attention all{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
    for (Index i = 0; i < Q.rows(); ++i)
    {
        const AttentionRow row = attention_row(i, Q, K, V, options);
        all.logits.row(i) = row.logits;
        all.weights.row(i) = row.weights;
        all.output.row(i) = row.output;
    }
    return all;
}

Attention attention::self_attention(const Matrix& X, const Projections& projections,
                                    const Options& options)
{
    const Matrix Q = X * projections.W_q;
    const Matrix K = X * projections.W_k;
    const Matrix V = X * projections.W_v;
    return attention::attention(Q, K, V, options);
}

double attention::entropy(const RowVector& weights)
{
    double h = 0;
    for (const double w : weights)
        if (w > 0)
            h -= w * std::log(w);
    return h;
}

bool attention::output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                                    const Matrix& V)
{
    return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
        && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
        && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool attention::rows_sum_to_one(const Matrix& weights)
{
    for (Index i = 0; i < weights.rows(); ++i)
        if (!(std::abs(weights.row(i).sum() - 1) < 1e-10))
            return false;
    return true;
}

bool attention::future_weights_are_zero(const Matrix& weights)
{
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = i + 1; j < weights.cols(); ++j)
            if (weights(i, j) != 0)
                return false;
    return true;
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after,
                                       Index changed_token)
{
    for (Index i = 0; i < changed_token; ++i)
        if (before.row(i) != after.row(i))
            return false;
    return true;
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)))
            return false;
    return true;
}
