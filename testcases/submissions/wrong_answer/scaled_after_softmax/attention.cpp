#include <attention/attention.hpp>
#include <cmath>
#include <limits>

/* Order of work: QK^T -> mask -> softmax -> scale -> V */

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return ShapeLedger{Shape{n, d_k}, Shape{n, d_k}, Shape{n, d_v},
                     Shape{n, n},   Shape{n, n},   Shape{n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const double shift = logits.maxCoeff();
  RowVector w = logits.unaryExpr([&](double z) { return std::exp(z - shift); });
  w /= w.sum();
  return w;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention a;
  a.logits = Q * K.transpose();
  if (options.causal) {
    for (Index i = 0; i < a.logits.rows(); ++i) {
      for (Index j = i + 1; j < a.logits.cols(); ++j) {
        a.logits(i, j) = -std::numeric_limits<double>::infinity();
      }
    }
  }

  a.weights.resize(a.logits.rows(), a.logits.cols());
  for (Index i = 0; i < a.logits.rows(); ++i) a.weights.row(i) = softmax(a.logits.row(i));

  if (options.scaled) a.weights /= std::sqrt(static_cast<double>(Q.cols()));

  a.output = a.weights * V;
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention a = attention(Q, K, V, options);
  AttentionRow r;
  r.logits = a.logits.row(i);
  r.weights = a.weights.row(i);
  r.output = a.output.row(i);
  return r;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double h = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) > 0.0) h -= weights(j) * std::log(weights(j));
  }
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    if (!(std::abs(weights.row(i).sum() - 1.0) < 1e-12)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (weights(i, j) != 0.0) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    for (Index c = 0; c < before.cols(); ++c) {
      if (before(i, c) != after(i, c)) return false;
    }
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-12) return false;
  }
  return true;
}

}  // namespace attention
