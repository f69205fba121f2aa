#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {
namespace {

using Scores = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Scores raw_scores(const Matrix& Q, const Matrix& K) {
  Scores scores(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      scores(i, j) = Q.row(i).dot(K.row(j));
    }
  }
  return scores;
}

template <typename Row>
Index argmax(const Row& row) {
  Index best = 0;
  for (Index j = 1; j < row.size(); ++j) {
    if (row(j) > row(best)) best = j;
  }
  return best;
}

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const double highest = logits(argmax(logits));
  RowVector weights(logits.size());
  for (Index j = 0; j < logits.size(); ++j) weights(j) = std::exp(logits(j) - highest);
  const double total = weights.sum();
  for (Index j = 0; j < logits.size(); ++j) weights(j) /= total;
  return weights;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const Index n = Q.rows();
  const Scores scores = raw_scores(Q, K);
  const double scale = options.scaled ? std::sqrt(static_cast<double>(Q.cols())) : 1.0;

  Attention result;
  result.logits.resize(n, n);
  result.weights.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const bool masked = options.causal && j > i;
      result.logits(i, j) = masked ? -std::numeric_limits<double>::infinity() : scores(i, j) / scale;
    }
    result.weights.row(i) = softmax(result.logits.row(i));
  }
  result.output = result.weights * V;
  return result;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention result = attention(Q, K, V, options);
  return {result.logits.row(i), result.weights.row(i), result.output.row(i)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights) {
  double sum = 0.0;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights(j) > 0.0) sum += weights(j) * std::log(weights(j));
  }
  return -sum;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const ShapeLedger ledger = shape_ledger(Q.rows(), Q.cols(), V.cols());
  const auto has = [](const Matrix& matrix, const Shape& shape) {
    return matrix.rows() == shape.rows && matrix.cols() == shape.cols;
  };
  return has(K, ledger.keys) && has(result.logits, ledger.logits) &&
         has(result.weights, ledger.weights) && has(result.output, ledger.output);
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const bool ok = std::fabs(weights.row(i).sum() - 1.0) <= 1e-9;
    if (!ok) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (!(weights(i, j) == 0.0)) return false;
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
    const double scaled = entropy(scaled_weights.row(i));
    const double unscaled = entropy(unscaled_weights.row(i));
    if (!(scaled - unscaled >= -1e-12)) return false;
  }
  return true;
}

}  // namespace attention
