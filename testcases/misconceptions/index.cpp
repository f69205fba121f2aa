// Slips of indices and loop bounds.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

Matrix first_row_left_out(const Problem& problem, const Matrix& weights) {
  return with_entries(weighted_sum(problem, weights),
                      [](Index i, Index, double entry) { return i == 0 ? 0 : entry; });
}

/// The loop ends one row early: weights and output of the last token stay zero.
Matrix last_row_left_out(const AttentionModel& model, const Problem& problem,
                         const Matrix& logits) {
  return with_entries(softmax_of_rows(model, problem, logits), [&](Index i, Index, double weight) {
    return i == problem.n() - 1 ? 0 : weight;
  });
}

Matrix columns_beyond_features_left_out(const Problem& problem, const Matrix& weights) {
  return with_entries(weighted_sum(problem, weights),
                      [&](Index, Index c, double entry) { return c < problem.d_k() ? entry : 0; });
}

Matrix reads_beyond_the_values(const Problem& problem, const Matrix& weights) {
  if (problem.d_k() > problem.d_v()) throw std::out_of_range("row < rows() && col < cols()");
  return columns_beyond_features_left_out(problem, weights);
}

/// The numbers of a row-major matrix read as if it were column-major.
Matrix misread(const Matrix& matrix) {
  return with_entries(Matrix(matrix.rows, matrix.columns), [&](Index i, Index c, double) {
    return matrix.entries[static_cast<std::size_t>(c * matrix.rows + i)];
  });
}

AttentionResult layouts_mixed_up(const AttentionModel& model, const Problem& problem) {
  return stage_after_stage(
      model, Problem{misread(problem.Q), misread(problem.K), misread(problem.V), problem.options});
}

Matrix shifted_by_one_row(const Problem& problem, const Matrix& weights) {
  const Matrix output = weighted_sum(problem, weights);
  return with_entries(output,
                      [&](Index i, Index c, double) { return i == 0 ? 0 : output(i - 1, c); });
}

Matrix first_feature_left_out(const Problem& problem) {
  return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
    double sum = 0;
    for (Index c = 1; c < problem.d_k(); ++c) sum += problem.Q(i, c) * problem.K(j, c);
    return sum;
  });
}

Matrix last_feature_left_out(const Problem& problem) {
  return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
    double sum = 0;
    for (Index c = 0; c + 1 < problem.d_k(); ++c) {
      sum += problem.Q(i, c) * problem.K(j, c);
    }
    return sum;
  });
}

Matrix keys_in_reverse(const Problem& problem) {
  const Matrix products = dot_products(problem);
  return with_entries(
      products, [&](Index i, Index j, double) { return products(i, products.columns - 1 - j); });
}

/// Matrix4d logits and weights: anything but four tokens of two features does not fit.
AttentionResult four_tokens_only(const AttentionModel& model, const Problem& problem) {
  if (problem.n() != 4 || problem.d_k() != 2) {
    throw std::invalid_argument("the sizes are fixed to 4 tokens of 2 features");
  }
  return stage_after_stage(model, problem);
}

/// The logits row itself is returned without its last column.
AttentionResult last_key_left_out(const AttentionModel& model, const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  const Index columns = std::max<Index>(problem.n() - 1, 0);
  const Matrix weights = result.weights;
  result.weights = with_entries(Matrix(problem.n(), columns),
                                [&](Index i, Index j, double) { return weights(i, j); });
  return result;
}

}  // namespace

std::vector<Misconception> index_misconceptions() {
  const std::vector<std::string> everything_that_calls = {kShapes,           kScaling, kMask,
                                                          kSoftmaxObjective, kValues,  kWhole};
  return {
      {"P12", "first row left out", {kValues}, {.output = first_row_left_out}},
      {"P13",
       "last row left out of weights and output",
       {kSoftmaxObjective},
       {.weights = last_row_left_out}},
      {"P14",
       "value columns from d_k on left out",
       {kValues},
       {.output = columns_beyond_features_left_out}},
      {"P15",
       "data() read in the other storage order",
       {kScaling, kValues},
       {.attention = layouts_mixed_up}},
      {"P20", "output shifted by one row", {kValues}, {.output = shifted_by_one_row}},
      {"P26",
       "first feature left out of the dot product",
       {kScaling},
       {.product = first_feature_left_out}},
      {"P32", "keys read in reverse order", {kScaling}, {.product = keys_in_reverse}},
      {"P41",
       "last feature left out of the dot product",
       {kScaling},
       {.product = last_feature_left_out}},
      {"P42", "weights without their last column", {kShapes}, {.attention = last_key_left_out}},
      {"C08",
       "value columns looped to d_k, out of bounds if d_v < d_k",
       {kShapes, kValues},
       {.output = reads_beyond_the_values}},
      {"C10",
       "sizes hard-coded to the example's four tokens",
       everything_that_calls,
       {.attention = four_tokens_only}},
  };
}

}  // namespace attention_assignment::misconceptions
