// The trusted implementation of the contract. Eigen appears at the border only.
#include "attention/attention.hpp"

#include <cmath>

#include "reference/stages.hpp"

namespace attention {
namespace {

using attention_assignment::AttentionInputs;

grader::Matrix plain(const Matrix& matrix) {
  grader::Matrix result(matrix.rows(), matrix.cols());
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (Index column = 0; column < matrix.cols(); ++column) {
      result(row, column) = matrix(row, column);
    }
  }
  return result;
}

Matrix narrowed(const reference::WideMatrix& matrix) {
  Matrix result(matrix.rows, matrix.columns);
  for (Index row = 0; row < matrix.rows; ++row) {
    for (Index column = 0; column < matrix.columns; ++column) {
      result(row, column) = static_cast<double>(matrix(row, column));
    }
  }
  return result;
}

std::vector<long double> widened(const RowVector& row) {
  std::vector<long double> result;
  for (Index column = 0; column < row.size(); ++column) result.push_back(row(column));
  return result;
}

/// How far from the exact answer honest rounding may be, in the assertions.
constexpr double kHonestRounding = 1e-9;

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const std::vector<long double> weights = reference::softmax(widened(logits));
  RowVector result(logits.size());
  for (Index column = 0; column < result.size(); ++column) {
    result(column) = static_cast<double>(weights[static_cast<std::size_t>(column)]);
  }
  return result;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const Attention all = attention(Q, K, V, options);
  return {all.logits.row(i), all.weights.row(i), all.output.row(i)};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const AttentionInputs inputs{plain(Q), plain(K), plain(V), {options.causal, options.scaled}};
  const reference::WideMatrix logits = reference::logits(inputs);
  const reference::WideMatrix weights = reference::softmax_rows(logits);
  const reference::WideMatrix output = reference::product(weights, reference::widened(inputs.V));
  return {narrowed(logits), narrowed(weights), narrowed(output)};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const reference::WideMatrix tokens = reference::widened(plain(X));
  const auto project = [&tokens](const Matrix& W) {
    return narrowed(reference::product(tokens, reference::widened(plain(W))));
  };
  return attention(project(projections.W_q), project(projections.W_k), project(projections.W_v),
                   options);
}

double entropy(const RowVector& weights) {
  return static_cast<double>(reference::entropy(widened(weights)));
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const Index n = Q.rows();
  return K.rows() == n && V.rows() == n && result.logits.rows() == n && result.logits.cols() == n &&
         result.weights.rows() == n && result.weights.cols() == n && result.output.rows() == n &&
         result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    long double sum = 0;
    for (Index j = 0; j < weights.cols(); ++j) sum += weights(i, j);
    if (!(std::abs(sum - 1.0L) <= static_cast<long double>(kHonestRounding))) return false;
  }
  return true;
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = i + 1; j < weights.cols(); ++j) {
      if (!(std::abs(weights(i, j)) <= kHonestRounding)) return false;
    }
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    for (Index column = 0; column < before.cols(); ++column) {
      if (!(std::abs(before(i, column) - after(i, column)) <= kHonestRounding)) return false;
    }
  }
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    const double scaled = entropy(scaled_weights.row(i));
    const double unscaled = entropy(unscaled_weights.row(i));
    if (!(scaled >= unscaled - kHonestRounding)) return false;
  }
  return true;
}

}  // namespace attention
