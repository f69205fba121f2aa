#include "attention/attention.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  RowVector w(logits.size());
  const double top = *std::max_element(logits.begin(), logits.end());
  std::transform(logits.begin(), logits.end(), w.begin(), [top](double z) { return std::exp(z - top); });
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  std::transform(w.begin(), w.end(), w.begin(), [sum](double e) { return e / sum; });
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  AttentionRow r{RowVector(K.rows()), {}, RowVector::Zero(V.cols())};
  for (Index j = 0; j < K.rows(); ++j) {
    const auto q = Q.row(i);
    const auto k = K.row(j);
    const double product = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    r.logits(j) = options.causal && j > i ? -std::numeric_limits<double>::infinity()
                  : options.scaled        ? product / std::sqrt(double(Q.cols()))
                                          : product;
  }
  r.weights = softmax(r.logits);
  for (Index j = 0; j < K.rows(); ++j) r.output += r.weights(j) * V.row(j);
  return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    AttentionRow r = attention_row(i, Q, K, V, options);
    std::copy(r.logits.begin(), r.logits.end(), a.logits.row(i).begin());
    std::copy(r.weights.begin(), r.weights.end(), a.weights.row(i).begin());
    std::copy(r.output.begin(), r.output.end(), a.output.row(i).begin());
  }
  return a;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0, [](double h, double w) {
    return w > 0 ? h + w * std::log(w) : h;
  });
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
      && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
      && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto row = weights.row(i);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (!(std::abs(sum - 1.0) < 1e-10)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto row = weights.row(i);
    if (std::any_of(row.begin() + i + 1, row.end(), [](double w) { return w != 0; })) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  const auto count = changed_token * before.cols();
  return std::equal(before.data(), before.data() + count, after.data());
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-9) return false;
  return true;
}

}  // namespace attention
