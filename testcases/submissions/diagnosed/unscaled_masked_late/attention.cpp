#include <attention/attention.hpp>

#include <cmath>
#include <limits>

// Whole-matrix version: no index loops wherever Eigen has an expression for it.

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

attention::Matrix softmax_rows(const attention::Matrix& S) {
  const Eigen::VectorXd row_max = S.rowwise().maxCoeff();
  attention::Matrix E = (S.colwise() - row_max).array().exp();
  const Eigen::VectorXd Z = E.rowwise().sum();
  return E.array().colwise() / Z.array();
}

}  // namespace

attention::ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v) {
  return {.queries = {n, d_k},
          .keys = {n, d_k},
          .values = {n, d_v},
          .logits = {n, n},
          .weights = {n, n},
          .output = {n, d_v}};
}

attention::RowVector attention::softmax(const RowVector& logits) {
  const RowVector e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

attention::Attention attention::attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                          const Options& options) {
  Matrix S = Q * K.transpose();

  Attention a;
  a.weights = softmax_rows(S);
  if (options.causal) a.weights.triangularView<Eigen::StrictlyUpper>().setZero();
  a.output = a.weights * V;
  a.logits = std::move(S);
  return a;
}

attention::AttentionRow attention::attention_row(Index i, const Matrix& Q, const Matrix& K,
                                                 const Matrix& V, const Options& options) {
  const Attention a = attention(Q, K, V, options);
  return {a.logits.row(i), a.weights.row(i), a.output.row(i)};
}

attention::Attention attention::self_attention(const Matrix& X, const Projections& p,
                                               const Options& options) {
  return attention(X * p.W_q, X * p.W_k, X * p.W_v, options);
}

double attention::entropy(const RowVector& weights) {
  // where the weight is zero take log(1) = 0 instead of log(0)
  const auto w = weights.array();
  return -(w * (w > 0).select(w, 1.0).log()).sum();
}

bool attention::output_shapes_match(const Attention& r, const Matrix& Q, const Matrix& K,
                                    const Matrix& V) {
  const auto is = [](const Matrix& m, Index rows, Index cols) {
    return m.rows() == rows && m.cols() == cols;
  };
  return is(r.logits, Q.rows(), K.rows()) && is(r.weights, Q.rows(), K.rows()) &&
         is(r.output, Q.rows(), V.cols());
}

bool attention::rows_sum_to_one(const Matrix& weights) {
  return ((weights.rowwise().sum().array() - 1.0).abs() <= 1e-12).all();
}

bool attention::future_weights_are_zero(const Matrix& weights) {
  const Matrix future = weights.triangularView<Eigen::StrictlyUpper>();
  return (future.array() == 0.0).all();
}

bool attention::past_outputs_unchanged(const Matrix& before, const Matrix& after,
                                       Index changed_token) {
  return before.topRows(changed_token) == after.topRows(changed_token);
}

bool attention::scaling_raises_entropy(const Matrix& scaled_weights,
                                       const Matrix& unscaled_weights) {
  for (Index i = 0; i < scaled_weights.rows(); ++i)
    if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-9)) return false;
  return true;
}
