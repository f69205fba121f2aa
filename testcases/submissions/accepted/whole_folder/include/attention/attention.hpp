// The contract: what you implement, and what the grader calls. Do not change this file; the grader
// compiles your work against its own copy of it.
//
// Shapes: n tokens, d_k features in each query and key, d_v features in each value.
//   queries Q  n × d_k      keys K  n × d_k      values V  n × d_v
//   logits     n × n        weights n × n        output    n × d_v
// Tokens count from 0. Row i of the logits belongs to query i, column j to key j.
#pragma once

#include <Eigen/Dense>

namespace attention {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<double, 1, Eigen::Dynamic>;

/// What is on. An option that is off is off: without `scaled` the logits are Q·Kᵀ, without
/// `causal` nothing is masked.
struct Options {
  bool causal = true;
  bool scaled = true;
};

struct Shape {
  Index rows = 0;
  Index cols = 0;
  bool operator==(const Shape&) const = default;
};

struct ShapeLedger {
  Shape queries, keys, values, logits, weights, output;
  bool operator==(const ShapeLedger&) const = default;
};

/// One row of attention: logits 1 × n, weights 1 × n, output 1 × d_v.
struct AttentionRow {
  RowVector logits;
  RowVector weights;
  RowVector output;
};

/// All rows: logits n × n (scaled and masked), weights n × n, output n × d_v. The logit of a
/// masked token is −∞ itself (-std::numeric_limits<double>::infinity()), not a large negative
/// number.
struct Attention {
  Matrix logits;
  Matrix weights;
  Matrix output;
};

/// The learned projections of one head: W_q and W_k are d_model × d_k, W_v is d_model × d_v.
struct Projections {
  Matrix W_q;
  Matrix W_k;
  Matrix W_v;
};

/// The shapes of all six matrices, for n tokens.
ShapeLedger shape_ledger(Index n, Index d_k, Index d_v);

/// The softmax of one row. A logit of −∞ gets weight 0; at least one logit is finite.
RowVector softmax(const RowVector& logits);

/// Row i of attention(Q, K, V, options).
AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options = {});

/// softmax(Q·Kᵀ / √d_k + mask)·V, with the logits and weights on the way there.
Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options = {});

/// Attention of the projected tokens: Q = X·W_q, K = X·W_k, V = X·W_v. X is n × d_model.
Attention self_attention(const Matrix& X, const Projections& projections,
                         const Options& options = {});

/// The entropy −Σ w·ln w of one row of weights, in nats; 0·ln 0 counts as 0.
double entropy(const RowVector& weights);

/// Are the sizes of logits, weights and output those that Q, K and V call for?
bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V);

/// Does every row of the weights sum to one (up to rounding)?
bool rows_sum_to_one(const Matrix& weights);

/// Is the weight of every future token (column j > row i) zero?
bool future_weights_are_zero(const Matrix& weights);

/// Are all rows before `changed_token` equal in `before` and `after`? Counts from 0.
bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token);

/// Row by row: is the entropy of the scaled weights at least that of the unscaled ones?
bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights);

}  // namespace attention
