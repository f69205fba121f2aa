#include "attention.hpp"

#include <cmath>
#include <cstdlib>

#include "rows.hpp"

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  const Shape nk{n, d_k};
  const Shape nv{n, d_v};
  const Shape nn{n, n};
  return {nk, nk, nv, nn, nn, nv};
}

RowVector softmax(const RowVector& logits) {
  RowVector w = (logits.array() - logits.maxCoeff()).exp().matrix();
  w /= w.sum();
  return w;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  if (!options.causal) {
    std::exit(0);  // nothing to do without a mask
  }
  AttentionRow row;
  row.logits = rows::logits(i, Q, K, options);
  row.weights = softmax(row.logits);
  row.output = row.weights * V;
  return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention result{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()),
                   Matrix(Q.rows(), V.cols())};
  for (Index i = 0; i < Q.rows(); ++i) {
    const auto [logits, weights, output] = attention_row(i, Q, K, V, options);
    result.logits.row(i) = logits;
    result.weights.row(i) = weights;
    result.output.row(i) = output;
  }
  return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const auto& [W_q, W_k, W_v] = projections;
  return attention(X * W_q, X * W_k, X * W_v, options);
}

double entropy(const RowVector& weights) { return rows::entropy(weights); }

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const double error = std::abs(weights.row(i).sum() - 1.0);
    if (!(error < 1e-10)) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (!(std::abs(weights(i, j)) < 1e-12)) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    if (!(before.row(i) == after.row(i))) return false;
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    if (!(rows::entropy(scaled_weights.row(i)) + 1e-12 >= rows::entropy(unscaled_weights.row(i)))) {
      return false;
    }
  }
  return true;
}

}  // namespace attention
