#include <attention/attention.hpp>

#include <cmath>
#include <vector>

namespace attention {
namespace {

// log(1) = 0 for what a query may see, log(0) = -infinity for what it may not
Matrix log_mask(Index n, bool causal) {
  Matrix visible = Matrix::Ones(n, n);
  if (causal) visible.triangularView<Eigen::StrictlyUpper>().setZero();
  return visible.unaryExpr([](double x) { return std::log(x); });
}

Matrix softmax_rows(const Matrix& S) {
  const Eigen::VectorXd top = S.rowwise().maxCoeff();
  const Matrix E = (S - top * RowVector::Ones(S.cols())).unaryExpr([](double x) { return std::exp(x); });
  const Eigen::VectorXd Z = E * Eigen::VectorXd::Ones(S.cols());
  return Z.cwiseInverse().asDiagonal() * E;
}

}  // namespace

RowVector softmax(const RowVector& logits) { return softmax_rows(logits); }

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  const double d_k = static_cast<double>(Q.cols());
  const Matrix scores = options.scaled ? Matrix(Q / std::sqrt(d_k) * K.transpose()) : Matrix(Q * K.transpose());
  Attention a;
  a.logits = scores + log_mask(Q.rows(), options.causal);
  a.weights = softmax_rows(a.logits);
  a.output = (V.transpose() * a.weights.transpose()).transpose();
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  // with a mask row i needs the first i + 1 tokens only; the rest of it is padded
  const Index m = options.causal ? i + 1 : K.rows();
  const Attention a = attention(Q.topRows(m), K.topRows(m), V.topRows(m), options);
  AttentionRow r{log_mask(K.rows(), options.causal).row(i), RowVector::Zero(K.rows()), a.output.row(i)};
  r.logits.head(m) = a.logits.row(i);
  r.weights.head(m) = a.weights.row(i);
  return r;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  const auto shape = [](const Matrix& m) { return Shape{m.rows(), m.cols()}; };
  return shape(result.logits) == Shape{Q.rows(), K.rows()} &&
         shape(result.weights) == Shape{Q.rows(), K.rows()} &&
         shape(result.output) == Shape{Q.rows(), V.cols()};
}

bool rows_sum_to_one(const Matrix& weights) {
  const auto near_one = [&](Index i) {
    const double s = weights.row(i).sum();
    return s >= 1 - 1e-9 && s <= 1 + 1e-9;
  };
  Index good = 0;
  for (Index i = 0; i < weights.rows(); ++i) good += near_one(i);
  return good == weights.rows();
}

bool future_weights_are_zero(const Matrix& weights) {
  for (Index i = 0; i + 1 < weights.rows(); ++i) {
    const RowVector future = weights.row(i).tail(weights.cols() - i - 1);
    if (!future.isZero(0)) return false;
  }
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  Index i = 0;
  while (i < changed_token && before.row(i) == after.row(i)) ++i;
  return i >= changed_token;
}

double entropy(const RowVector& weights) {
  double h = 0;
  for (Index j = 0; j < weights.size(); ++j)
    if (const double p = weights[j]; p > 0) h += p * -std::log(p);
  return h;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  const Index n = scaled_weights.rows();
  std::vector<double> with(n), without(n);
  for (Index i = 0; i < n; ++i) {
    with[i] = entropy(scaled_weights.row(i));
    without[i] = entropy(unscaled_weights.row(i));
  }
  for (Index i = 0; i < n; ++i)
    if (with[i] < without[i] - 1e-11) return false;
  return true;
}

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  ShapeLedger ledger;
  ledger.queries = ledger.keys = Shape{n, d_k};
  ledger.logits = ledger.weights = Shape{n, n};
  ledger.values = ledger.output = Shape{n, d_v};
  return ledger;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  const auto project = [&X](const Matrix& W) -> Matrix { return X * W; };
  return attention(project(projections.W_q), project(projections.W_k), project(projections.W_v),
                   options);
}

}  // namespace attention
