#include "attention.hpp"
#include <algorithm>
#include <cmath>

// Column-major MatrixXd inside. A token is one column of q, k and v.

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace attention {

// softmax of one column
static VectorXd softmax_column(const VectorXd& s)
{
    VectorXd w = s;
    double m = s.maxCoeff();
    for (Index j = 0; j < s.rows(); ++j)
        w[j] = std::exp(s[j] - m);
    w *= 1.0 / w.sum();
    return w;
}

// n_keys x n_queries: column i holds the logits of query i
static MatrixXd logit_columns(const MatrixXd& queries, const MatrixXd& keys, const Options& opt)
{
    MatrixXd S(keys.cols(), queries.cols());
    double factor = opt.scaled ? 1.0 / std::sqrt(double(queries.rows())) : 1.0;
    for (Index i = 0; i < queries.cols(); ++i)
        for (Index j = 0; j < keys.cols(); ++j)
            S(j, i) = (opt.causal && j > i) ? -INFINITY : factor * keys.col(j).dot(queries.col(i));
    return S;
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
    Shape square{n, n};
    return ShapeLedger{{n, d_k}, {n, d_k}, {n, d_v}, square, square, {n, d_v}};
}

RowVector softmax(const RowVector& logits)
{
    return softmax_column(logits.transpose()).transpose();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    MatrixXd q = Q.transpose(), k = K.transpose(), v = V.transpose();
    MatrixXd S = logit_columns(q, k, options);
    MatrixXd W(S.rows(), S.cols());
    for (Index j = 0; j < S.rows(); ++j)        // softmax of every row
        W.row(j) = softmax(RowVector(S.row(j)));
    MatrixXd O = v * W;             // d_v x n

    Attention result;
    result.logits  = S.transpose();
    result.weights = W.transpose();
    result.output  = O.transpose();
    return result;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options)
{
    Attention full = attention(Q, K, V, options);
    AttentionRow r;
    r.logits = full.logits.row(i);
    r.weights = full.weights.row(i);
    r.output = full.output.row(i);
    return r;
}

Attention self_attention(const Matrix& X, const Projections& W, const Options& options)
{
    MatrixXd tokens = X;            // column-major copy
    Matrix Q = tokens * MatrixXd(W.W_q);
    Matrix K = tokens * MatrixXd(W.W_k);
    Matrix V = tokens * MatrixXd(W.W_v);
    return attention(Q, K, V, options);
}

double entropy(const RowVector& weights)
{
    VectorXd w = weights.transpose();
    double sum = 0.0;
    for (double p : w)
        sum += p == 0.0 ? 0.0 : p * std::log(p);
    return -sum;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
    ShapeLedger want = shape_ledger(Q.rows(), Q.cols(), V.cols());
    Shape l{result.logits.rows(), result.logits.cols()};
    Shape w{result.weights.rows(), result.weights.cols()};
    Shape o{result.output.rows(), result.output.cols()};
    return K.rows() == Q.rows() && l == want.logits && w == want.weights && o == want.output;
}

bool rows_sum_to_one(const Matrix& weights)
{
    MatrixXd columns = weights.transpose();
    for (Index i = 0; i < columns.cols(); ++i)
        if (!(std::abs(columns.col(i).sum() - 1) < 1e-6))
            return false;
    return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
    for (Index j = 0; j < weights.cols(); ++j)
        for (Index i = 0; i < std::min(j, weights.rows()); ++i)     // above the diagonal
            if (!(std::abs(weights(i, j)) <= 1e-12))
                return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
    for (Index t = 0; t < changed_token; ++t)
        if (!((before.row(t) - after.row(t)).array().abs() <= 1e-10).all())
            return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
    bool ok = true;
    for (Index i = 0; i < scaled_weights.rows(); ++i)
        ok = ok && entropy(scaled_weights.row(i)) + 1e-8 >= entropy(unscaled_weights.row(i));
    return ok;
}

}
