// A small implementation of causal attention made of replaceable stages. A misconception is this
// with one stage exchanged; a correct style is this with a stage written another way.
//
// Everything works on grader::Matrix in plain loops: the self-test runs over a hundred of these
// against every check, in process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "grader/contract/implementation.hpp"
#include "grader/contract/value.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment::misconceptions {

using grader::Matrix;
using grader::RowVector;

/// One call of attention.
using Problem = AttentionInputs;

struct AttentionModel;

// The correct stages, which are the defaults below.
Options options_as_given(const Options& options);
Problem inputs_as_given(Problem problem);
Matrix dot_products(const Problem& problem);
Matrix divide_by_root_of_features(const Problem& problem, Matrix products);
Matrix mask_future(const Problem& problem, Matrix scores);
Matrix masked_logits(const Matrix& scores, const Matrix& logits);
double largest_logit(const RowVector& logits);
double exponential(double exponent);
RowVector divide_by_sum(const RowVector& powers);
Matrix softmax_of_rows(const AttentionModel& model, const Problem& problem, const Matrix& logits);
Matrix weighted_sum(const Problem& problem, const Matrix& weights);
Matrix reported_as_it_is(const Matrix& matrix);
AttentionResult stage_after_stage(const AttentionModel& model, const Problem& problem);
AttentionRowResult row_of_attention(const AttentionModel& model, std::int64_t i,
                                    const Problem& problem);
AttentionResult project_then_attend(const AttentionModel& model, const Matrix& tokens,
                                    const ProjectionMatrices& projections, const Options& options);
ShapeLedger right_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v);
double entropy_in_nats(const RowVector& weights);
bool all_shapes_match(const AttentionResult& result, const Matrix& queries, const Matrix& keys,
                      const Matrix& values);
bool every_row_sums_to_one(const Matrix& weights);
bool every_future_weight_is_zero(const Matrix& weights);
bool every_past_row_is_equal(const Matrix& before, const Matrix& after, std::int64_t changed_token);
bool no_row_loses_entropy(const AttentionModel& model, const Matrix& scaled_weights,
                          const Matrix& unscaled_weights);

/// The stages of attention and the other functions of the contract. Write
/// `{.mask = leave_unmasked}` to replace one of them.
///
/// Stages of different members combine freely (parts.hpp merges models): that is how two mistakes
/// in one submission are recognised.
///
/// A stage may keep state in a mutable lambda: each implementation works on a copy of its own.
struct AttentionModel {
  std::function<Options(const Options&)> options = options_as_given;
  std::function<Problem(Problem)> inputs = inputs_as_given;
  std::function<Matrix(const Problem&)> product = dot_products;
  std::function<Matrix(const Problem&, Matrix products)> scale = divide_by_root_of_features;
  std::function<Matrix(const Problem&, Matrix scores)> mask = mask_future;
  /// What the softmax is given: the masked logits, or the scores from before the mask.
  std::function<Matrix(const Matrix& scores, const Matrix& logits)> softmax_input = masked_logits;
  // softmax(z) = normalise(power(z_j - shift(z)) of all j)
  std::function<double(const RowVector& logits)> shift = largest_logit;
  std::function<double(double exponent)> power = exponential;
  std::function<RowVector(const RowVector& powers)> normalise = divide_by_sum;
  /// A softmax written another way; empty: the one made of the three parts above.
  std::function<RowVector(const RowVector& logits)> softmax = nullptr;
  std::function<Matrix(const AttentionModel&, const Problem&, const Matrix& logits)> weights =
      softmax_of_rows;
  std::function<Matrix(const Problem&, const Matrix& weights)> output = weighted_sum;
  // What attention() hands out, which need not be what it worked with.
  std::function<Matrix(const Matrix&)> reported_logits = reported_as_it_is;
  std::function<Matrix(const Matrix&)> reported_weights = reported_as_it_is;
  /// The composition; replaced where a mistake lies between the stages.
  std::function<AttentionResult(const AttentionModel&, const Problem&)> attention =
      stage_after_stage;
  std::function<AttentionRowResult(const AttentionModel&, std::int64_t i, const Problem&)>
      attention_row = row_of_attention;
  std::function<AttentionResult(const AttentionModel&, const Matrix& tokens,
                                const ProjectionMatrices&, const Options&)>
      self_attention = project_then_attend;
  std::function<ShapeLedger(std::int64_t n, std::int64_t d_k, std::int64_t d_v)> shape_ledger =
      right_ledger;
  std::function<double(const RowVector&)> entropy = entropy_in_nats;
  std::function<bool(const AttentionResult&, const Matrix& queries, const Matrix& keys,
                     const Matrix& values)>
      output_shapes_match = all_shapes_match;
  std::function<bool(const Matrix&)> rows_sum_to_one = every_row_sums_to_one;
  std::function<bool(const Matrix&)> future_weights_are_zero = every_future_weight_is_zero;
  std::function<bool(const Matrix& before, const Matrix& after, std::int64_t changed_token)>
      past_outputs_unchanged = every_past_row_is_equal;
  std::function<bool(const AttentionModel&, const Matrix& scaled_weights,
                     const Matrix& unscaled_weights)>
      scaling_raises_entropy = no_row_loses_entropy;
};

/// The model behind the interface that checks call. What a stage throws becomes Ending::threw;
/// start_fresh() forgets what stages remember.
std::unique_ptr<grader::Implementation> implement(AttentionModel model);

/// The softmax of one row as `model` computes it.
RowVector softmax_of(const AttentionModel& model, const RowVector& logits);
/// The correct one.
RowVector stable_softmax(const RowVector& logits);
/// The problem that the stages of `model` see, through its `options` and `inputs`. Throws
/// std::invalid_argument when they make queries and keys of different size.
Problem seen_by(const AttentionModel& model, const Problem& problem);

// Plain linear algebra. Sizes that do not fit throw std::invalid_argument, as Eigen's assertions do
// in the graded build.
Matrix multiply(const Matrix& left, const Matrix& right);
Matrix transposed(const Matrix& matrix);
RowVector row_of(const Matrix& matrix, std::int64_t row);
RowVector divided_by(RowVector row, double divisor);
void set_row(Matrix& matrix, std::int64_t row, const RowVector& values);

/// Calls `change(row, column, entry)` for every entry.
template <typename Change>
Matrix with_entries(Matrix matrix, Change change) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) matrix(i, j) = change(i, j, matrix(i, j));
  }
  return matrix;
}

}  // namespace attention_assignment::misconceptions
