#include <iostream>
#include <cmath>
#include <attention/attention.hpp>
using namespace std;

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
    ShapeLedger s;
    s.queries = {n, d_k}; s.keys = {n, d_k}; s.values = {n, d_v};
    s.logits = {n, n}; s.weights = {n, n}; s.output = {n, d_v};
    return s;
}

RowVector softmax(const RowVector& logits)
{
    double mx = logits.maxCoeff(), sum = 0;
    RowVector p = logits;
    for (auto& x : p) { x = exp(x - mx); sum += x; }
    for (auto& x : p) x /= sum;
    return p;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    int n = Q.rows(), d = Q.cols();
    Attention res;
    res.logits = Matrix(n, n);
    res.weights = Matrix(n, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < d; k++) s += Q(i, k) * K(j, k);
            if (options.scaled) s /= sqrt(d);
            if (options.causal && j > i) s = -1200; // exp(-1200) is 0
            res.logits(i, j) = s;
        }
        res.weights.row(i) = softmax(res.logits.row(i));
    }
    res.output = res.weights * V;
    return res;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
    Attention a = attention(Q, K, V, options);
    AttentionRow row;
    row.logits = a.logits.row(i);
    row.weights = a.weights.row(i);
    row.output = a.output.row(i);
    return row;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
    return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights)
{
    double h = 0;
    for (double w : weights) if (w > 0) h -= w * log(w);
    return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
    auto same = [](const Matrix& m, Index r, Index c) { return m.rows() == r && m.cols() == c; };
    return same(result.logits, Q.rows(), K.rows()) && same(result.weights, Q.rows(), K.rows())
        && same(result.output, Q.rows(), V.cols());
}

bool rows_sum_to_one(const Matrix& weights)
{
    for (int i = 0; i < weights.rows(); i++)
        if (!(abs(weights.row(i).sum() - 1) < 1e-9)) return false;
    return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
    for (int i = 0; i < weights.rows(); i++)
        for (int j = i + 1; j < weights.cols(); j++)
            if (weights(i, j) != 0) return false;
    return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
    for (int i = 0; i < changed_token; i++)
        if (before.row(i) != after.row(i)) return false;
    return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
    for (int i = 0; i < scaled_weights.rows(); i++)
        if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
    return true;
}

} // namespace attention

#ifdef MY_TEST
int main()
{
    attention::Matrix Q(4, 2), V(4, 1);
    Q << 1, 0, 0, 1, 1, 1, -1, 0;
    V << 1, 2, 3, 4;
    attention::Attention a = attention::attention(Q, Q, V);
    cout << a.weights << endl << endl << a.output << endl;
    if (!attention::rows_sum_to_one(a.weights)) { cout << "rows!" << endl; return 1; }
    if (!attention::future_weights_are_zero(a.weights)) { cout << "future!" << endl; return 1; }
    return 0;
}
#endif
