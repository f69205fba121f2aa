// Wrong shapes, in the ledger and in results.
#include <algorithm>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;
enum Entry : std::size_t { kQueries, kKeys, kValueEntry, kLogits, kWeights, kOutput };

/// The right ledger with one entry replaced by `shape(n, d_k, d_v)`.
template <typename ShapeOf>
AttentionModel with_ledger_entry(Entry entry, ShapeOf shape) {
  AttentionModel model;
  model.shape_ledger = [entry, shape](Index n, Index d_k, Index d_v) {
    ShapeLedger ledger = right_ledger(n, d_k, d_v);
    ledger[entry] = shape(n, d_k, d_v);
    return ledger;
  };
  return model;
}

/// Pads with zeros or cuts.
Matrix resized(const Matrix& matrix, Index rows, Index columns) {
  return with_entries(Matrix(rows, columns), [&](Index i, Index j, double) {
    return i < matrix.rows && j < matrix.columns ? matrix(i, j) : 0.0;
  });
}

Matrix as_wide_as_the_queries(const Problem& problem, const Matrix& weights) {
  return resized(weighted_sum(problem, weights), problem.n(), problem.d_k());
}

AttentionResult logits_never_filled(const AttentionModel& model, const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  result.logits = Matrix();
  return result;
}

AttentionResult logits_and_weights_of_last_row(const AttentionModel& model,
                                               const Problem& problem) {
  AttentionResult result = stage_after_stage(model, problem);
  const auto last_row = [](const Matrix& matrix) {
    Matrix row(1, matrix.columns);
    set_row(row, 0, row_of(matrix, matrix.rows - 1));
    return row;
  };
  result.logits = last_row(result.logits);
  result.weights = last_row(result.weights);
  return result;
}

}  // namespace

std::vector<Misconception> shape_misconceptions() {
  using Shape = MatrixShape;
  return {
      {"L01",
       "ledger: logits n × d_k",
       {kShapes},
       with_ledger_entry(kLogits,
                         [](Index n, Index d_k, Index) {
                           return Shape{n, d_k};
                         })},
      {"L02", "output as wide as the queries", {kShapes}, {.output = as_wide_as_the_queries}},
      {"L03",
       "ledger: output n × d_k",
       {kShapes},
       with_ledger_entry(kOutput,
                         [](Index n, Index d_k, Index) {
                           return Shape{n, d_k};
                         })},
      {"L04",
       "ledger: keys d_k × n",
       {kShapes},
       with_ledger_entry(kKeys,
                         [](Index n, Index d_k, Index) {
                           return Shape{d_k, n};
                         })},
      {"L05",
       "ledger: output d_v × n",
       {kShapes},
       with_ledger_entry(kOutput,
                         [](Index n, Index, Index d_v) {
                           return Shape{d_v, n};
                         })},
      {"L06",
       "ledger: weights n × d_v",
       {kShapes},
       with_ledger_entry(kWeights,
                         [](Index n, Index, Index d_v) {
                           return Shape{n, d_v};
                         })},
      {"L07",
       "ledger: logits d_k × d_k",
       {kShapes},
       with_ledger_entry(kLogits,
                         [](Index, Index d_k, Index) {
                           return Shape{d_k, d_k};
                         })},
      {"L08",
       "ledger: values d_v × n",
       {kShapes},
       with_ledger_entry(kValueEntry,
                         [](Index n, Index, Index d_v) {
                           return Shape{d_v, n};
                         })},
      {"L09",
       "ledger: queries d_k × n",
       {kShapes},
       with_ledger_entry(kQueries,
                         [](Index n, Index d_k, Index) {
                           return Shape{d_k, n};
                         })},
      {"L10", "logits returned empty", {kShapes}, {.attention = logits_never_filled}},
      {"L11",
       "logits and weights of the last row only",
       {kShapes},
       {.attention = logits_and_weights_of_last_row}},
  };
}

}  // namespace attention_assignment::misconceptions
