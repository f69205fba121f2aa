#include <attention/attention.hpp>
#include <cmath>
#include <limits>

// Row-wise and vectorised with head(): a causal row only ever looks at its first i + 1 keys.

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  auto features = Shape{n, d_k};
  auto square = Shape{n, n};
  auto results = Shape{n, d_v};
  return ShapeLedger{features, features, results, square, square, results};
}

RowVector softmax(const RowVector& logits) {
  const double max = logits.maxCoeff();
  RowVector p = logits.unaryExpr([max](double z) { return std::exp(z - max); });
  p /= p.sum();
  return p;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = K.rows();
  const Index m = options.causal ? i + 1 : n;
  AttentionRow r;
  r.logits.setConstant(n, -std::numeric_limits<double>::infinity());
  r.logits.head(m) = Q.row(i) * K.topRows(m).transpose();
  if (options.scaled) r.logits.head(m) /= std::sqrt(double(Q.cols()));
  r.weights.setZero(n);
  r.weights.head(m) = softmax(r.logits.head(m));
  r.output = r.weights.head(m) * V.topRows(m);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  Attention a;
  a.logits.setZero(n, n);
  a.weights.setZero(n, n);
  a.output.setZero(n, V.cols());
  for (Index i = 1; i < n; ++i) {
    auto r = attention_row(i, Q, K, V, options);
    a.logits.row(i) = r.logits;
    a.weights.row(i) = r.weights;
    a.output.row(i) = r.output;
  }
  return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (auto w : weights) {
    if (w <= 0) continue;
    h -= w * std::log(w);
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
  auto matches = [](const Matrix& m, Index r, Index c) { return m.rows() == r && m.cols() == c; };
  return matches(result.logits, Q.rows(), K.rows()) && matches(result.weights, Q.rows(), K.rows()) &&
         matches(result.output, Q.rows(), V.cols());
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    if (!(std::abs(1.0 - weights.row(i).sum()) < 1e-12 * weights.cols())) return false;
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i)
    if ((weights.row(i).tail(weights.cols() - i - 1).array() != 0).any()) return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i)
    if ((before.row(i).array() != after.row(i).array()).any()) return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9)) return false;
  return true;
}

}  // namespace attention
