#include "attention/attention.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <ranges>

// No loop statement in the whole file.

namespace attention {
namespace {

constexpr auto positions = [](Index first, Index last) { return std::views::iota(first, last); };

template <typename Function>
double sum_over(Index first, Index last, Function&& term) {
  const auto range = positions(first, last);
  return std::transform_reduce(range.begin(), range.end(), 0.0, std::plus<>{}, term);
}

template <typename Predicate>
bool for_all(Index first, Index last, Predicate&& predicate) {
  return std::ranges::all_of(positions(first, last), predicate);
}

template <typename Function>
Matrix make_matrix(Index rows, Index cols, Function&& entry) {
  return Matrix::NullaryExpr(rows, cols, entry);
}

// f(0) stacked upon f(1) ... each a row vector
template <typename Function>
Matrix stack(Index rows, Index cols, Function&& row) {
  Matrix m(rows, cols);
  std::ranges::for_each(positions(0, rows), [&](Index i) { m.row(i) = row(i); });
  return m;
}

auto close_to(double target, double tolerance) {
  return [=](double x) { return std::abs(x - target) <= tolerance; };
}

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  const auto by = [n](Index columns) { return Shape{n, columns}; };
  return {by(d_k), by(d_k), by(d_v), by(n), by(n), by(d_v)};
}

RowVector softmax(const RowVector& logits) {
  const double top = *std::ranges::max_element(logits);
  const auto e = [&](Index j) { return std::exp(logits(j) - top); };
  const double z = sum_over(0, logits.size(), e);
  return RowVector::NullaryExpr(logits.size(), [&](Index j) { return e(j) / z; });
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  const double scale = options.scaled ? std::sqrt(static_cast<double>(Q.cols())) : 1.0;
  const auto logit = [&](Index j) {
    return options.causal && j > i
               ? -std::numeric_limits<double>::infinity()
               : sum_over(0, Q.cols(), [&](Index c) { return Q(i, c) * K(j, c); }) * scale;
  };
  const RowVector logits = RowVector::NullaryExpr(K.rows(), logit);
  const RowVector weights = softmax(logits);
  const auto mixed = [&](Index c) {
    return sum_over(0, V.rows(), [&](Index j) { return weights(j) * V(j, c); });
  };
  return {logits, weights, RowVector::NullaryExpr(V.cols(), mixed)};
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const auto row = [&](Index i) { return attention_row(i, Q, K, V, options); };
  return {stack(Q.rows(), K.rows(), [&](Index i) { return row(i).logits; }),
          stack(Q.rows(), K.rows(), [&](Index i) { return row(i).weights; }),
          stack(Q.rows(), V.cols(), [&](Index i) { return row(i).output; })};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const auto project = [&](const Matrix& W) {
    return make_matrix(X.rows(), W.cols(), [&](Index i, Index c) {
      return sum_over(0, X.cols(), [&](Index t) { return X(i, t) * W(t, c); });
    });
  };
  return attention(project(projections.W_q), project(projections.W_k), project(projections.W_v),
                   options);
}

double entropy(const RowVector& weights) {
  return sum_over(0, weights.size(), [&](Index j) {
    return weights(j) > 0 ? -weights(j) * std::log(weights(j)) : 0.0;
  });
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const auto shape = [](const Matrix& m) { return std::pair{m.rows(), m.cols()}; };
  return shape(result.logits) == std::pair{Q.rows(), K.rows()} &&
         shape(result.weights) == std::pair{Q.rows(), K.rows()} &&
         shape(result.output) == std::pair{Q.rows(), V.cols()};
}

bool rows_sum_to_one(const Matrix& weights) {
  return for_all(0, weights.rows(),
                 [&](Index i) { return close_to(1.0, 1e-11)(weights.row(i).sum()); });
}

bool future_weights_are_zero(const Matrix& weights) {
  return for_all(0, weights.rows(), [&](Index i) {
    return for_all(std::min(i + 1, weights.cols()), weights.cols(),
                   [&](Index j) { return close_to(0.0, 1e-9)(weights(i, j)); });
  });
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return for_all(0, changed_token, [&](Index i) { return before.row(i) == after.row(i); });
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  return for_all(0, scaled_weights.rows(), [&](Index i) {
    return entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-11;
  });
}

}  // namespace attention
