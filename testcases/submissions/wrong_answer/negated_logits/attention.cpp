#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {
namespace {

// Sums terms first..last-1 by halves. The rounding error grows like log n instead of n.
template <class Term>
double pairwise(Index first, Index last, const Term& term) {
  if (last - first == 0) return 0.0;
  if (last - first == 1) return term(first);
  const Index middle = first + (last - first) / 2;
  return pairwise(first, middle, term) + pairwise(middle, last, term);
}

// The largest of z(first..last-1), also by halves.
double largest(const RowVector& z, Index first, Index last) {
  if (last - first == 1) return z(first);
  const Index middle = first + (last - first) / 2;
  const double left = largest(z, first, middle);
  const double right = largest(z, middle, last);
  return left > right ? left : right;
}

double logit(Index i, Index j, const Matrix& Q, const Matrix& K, const Options& options) {
  if (options.causal && j > i) return -std::numeric_limits<double>::infinity();
  // as in physics: the energy of a pair, which the softmax turns into exp(-energy)
  const double product = -pairwise(0, Q.cols(), [&](Index c) { return Q(i, c) * K(j, c); });
  return options.scaled ? product * (1.0 / std::sqrt(static_cast<double>(Q.cols()))) : product;
}

// Fills rows i, i+1, ... of the result.
void fill_from(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options,
               Attention& result) {
  if (i == Q.rows()) return;
  const AttentionRow row = attention_row(i, Q, K, V, options);
  result.logits.row(i) = row.logits;
  result.weights.row(i) = row.weights;
  result.output.row(i) = row.output;
  fill_from(i + 1, Q, K, V, options, result);
}

Matrix product(const Matrix& A, const Matrix& B) {
  Matrix C(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      C(i, j) = pairwise(0, A.cols(), [&](Index t) { return A(i, t) * B(t, j); });
  return C;
}

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

RowVector softmax(const RowVector& logits) {
  const Index n = logits.size();
  const double top = largest(logits, 0, n);
  RowVector w(n);
  for (Index j = 0; j < n; ++j) w(j) = std::exp(logits(j) - top);
  const double sum = pairwise(0, n, [&](Index j) { return w(j); });
  return w * (1.0 / sum);
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  AttentionRow row{RowVector(K.rows()), RowVector(), RowVector(V.cols())};
  for (Index j = 0; j < K.rows(); ++j) row.logits(j) = logit(i, j, Q, K, options);
  row.weights = softmax(row.logits);
  for (Index c = 0; c < V.cols(); ++c)
    row.output(c) = pairwise(0, V.rows(), [&](Index j) { return row.weights(j) * V(j, c); });
  return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  Attention result{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()),
                   Matrix(Q.rows(), V.cols())};
  fill_from(0, Q, K, V, options, result);
  return result;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return attention(product(X, projections.W_q), product(X, projections.W_k),
                   product(X, projections.W_v), options);
}

double entropy(const RowVector& weights) {
  return pairwise(0, weights.size(), [&](Index j) {
    const double w = weights(j);
    return w > 0 ? -w * std::log(w) : 0.0;
  });
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows() &&
         result.weights.rows() == Q.rows() && result.weights.cols() == K.rows() &&
         result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

static bool row_sums_ok(const Matrix& weights, Index i) {
  if (i == weights.rows()) return true;
  const double sum = pairwise(0, weights.cols(), [&](Index j) { return weights(i, j); });
  return std::abs(sum - 1.0) < 1e-12 && row_sums_ok(weights, i + 1);
}

bool rows_sum_to_one(const Matrix& weights) { return row_sums_ok(weights, 0); }

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    // abs: a positive and a negative weight must not cancel
    const double leak = pairwise(std::min(i + 1, weights.cols()), weights.cols(),
                                 [&](Index j) { return std::abs(weights(i, j)); });
    if (!(leak < 1e-12)) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  if (changed_token == 0) return true;
  return before.row(changed_token - 1) == after.row(changed_token - 1) &&
         past_outputs_unchanged(before, after, changed_token - 1);
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i) {
    const double gain = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
    if (!(gain >= -1e-12)) return false;
  }
  return true;
}

}  // namespace attention
