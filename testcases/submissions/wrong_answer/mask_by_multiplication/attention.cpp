// Lab 5: Attention. A. Student, group 4
#include "attention.hpp"
#include <cmath>
#include <cassert>

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
  return { { n, d_k }, { n, d_k }, { n, d_v }, { n, n }, { n, n }, { n, d_v } };
}

RowVector softmax(const RowVector& logits)
{
  assert(logits.size() > 0);
  const RowVector shifted = (logits.array() - logits.maxCoeff()).matrix();
  const RowVector exps = shifted.array().exp();
  return exps / exps.sum();
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
  assert(Q.cols() == K.cols());
  assert(K.rows() == V.rows());

  Attention a;
  a.logits = Q * K.transpose();
  if (options.scaled)
    a.logits /= std::sqrt(double(Q.cols()));

  // additive mask: 0 where visible, -inf where not
  if (options.causal) {
    Matrix hidden = Matrix::Zero(a.logits.rows(), a.logits.cols());
    hidden.triangularView<Eigen::StrictlyUpper>().setOnes();
    a.logits += hidden * -INFINITY;
  }

  // softmax(Q K^T / sqrt(d_k) + mask) V
  a.weights = Matrix(a.logits.rows(), a.logits.cols());
  for (Index i = 0; i < a.logits.rows(); i++)
    a.weights.row(i) = softmax(a.logits.row(i));
  a.output = a.weights * V;

  assert(a.output.rows() == Q.rows() && a.output.cols() == V.cols());
  return a;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
  Attention a = attention(Q, K, V, options);
  return { a.logits.row(i), a.weights.row(i), a.output.row(i) };
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
  return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
}

double entropy(const RowVector& weights)
{
  double h = 0.0;
  for (Index j = 0; j < weights.size(); j++)
    if (weights(j) > 0.0)
      h -= weights(j) * std::log(weights(j));
  return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
  return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
      && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
      && result.output.rows() == Q.rows() && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights)
{
  for (Index i = 0; i < weights.rows(); i++)
    if (!(std::fabs(weights.row(i).sum() - 1.0) < 1e-9))
      return false;
  return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
  for (Index i = 0; i < weights.rows(); i++)
    for (Index j = i + 1; j < weights.cols(); j++)
      if (weights(i, j) != 0.0)
        return false;
  return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
  for (Index i = 0; i < changed_token; i++)
    for (Index c = 0; c < before.cols(); c++)
      if (before(i, c) != after(i, c))
        return false;
  return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
  for (Index i = 0; i < scaled_weights.rows(); i++)
    if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)))
      return false;
  return true;
}

}
