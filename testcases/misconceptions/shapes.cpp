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

Matrix never_filled(const Matrix& /*matrix*/) { return {}; }

Matrix last_row_only(const Matrix& matrix) {
  Matrix row(1, matrix.columns);
  set_row(row, 0, row_of(matrix, matrix.rows - 1));
  return row;
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
                         }),
       "QKᵀ compares every query with every key, so the logits have one column a key: n × n. d_k "
       "is summed over in the product and is gone afterwards."},
      {"L02",
       "output as wide as the queries",
       {kShapes},
       {.output = as_wide_as_the_queries},
       "The output takes its width from the values: each row is a sum of rows of V, so it is n × "
       "d_v. The width of the queries, d_k, plays no part in it."},
      {"L03",
       "ledger: output n × d_k",
       {kShapes},
       with_ledger_entry(kOutput,
                         [](Index n, Index d_k, Index) {
                           return Shape{n, d_k};
                         }),
       "Each output row is a weighted sum of rows of V, so the output is n × d_v. d_k disappears "
       "in the dot products."},
      {"L04",
       "ledger: keys d_k × n",
       {kShapes},
       with_ledger_entry(kKeys,
                         [](Index n, Index d_k, Index) {
                           return Shape{d_k, n};
                         }),
       "The keys come as one row a token, n × d_k. The transpose belongs to the product QKᵀ, not "
       "to K itself."},
      {"L05",
       "ledger: output d_v × n",
       {kShapes},
       with_ledger_entry(kOutput,
                         [](Index n, Index, Index d_v) {
                           return Shape{d_v, n};
                         }),
       "The output keeps one row a token: (n × n)·(n × d_v) = n × d_v. It is not transposed."},
      {"L06",
       "ledger: weights n × d_v",
       {kShapes},
       with_ledger_entry(kWeights,
                         [](Index n, Index, Index d_v) {
                           return Shape{n, d_v};
                         }),
       "The weights say how much each token attends to each token, so they are n × n like the "
       "logits. Only after the product with V does d_v appear."},
      {"L07",
       "ledger: logits d_k × d_k",
       {kShapes},
       with_ledger_entry(kLogits,
                         [](Index, Index d_k, Index) {
                           return Shape{d_k, d_k};
                         }),
       "That is the size of KᵀQ. QKᵀ multiplies n × d_k by d_k × n, which gives n × n: one logit "
       "for every pair of tokens."},
      {"L08",
       "ledger: values d_v × n",
       {kShapes},
       with_ledger_entry(kValueEntry,
                         [](Index n, Index, Index d_v) {
                           return Shape{d_v, n};
                         }),
       "The values come as one row a token, n × d_v, and are used as they are."},
      {"L09",
       "ledger: queries d_k × n",
       {kShapes},
       with_ledger_entry(kQueries,
                         [](Index n, Index d_k, Index) {
                           return Shape{d_k, n};
                         }),
       "The queries come as one row a token, n × d_k. In QKᵀ it is K that is transposed."},
      {"L10",
       "logits returned empty",
       {kShapes},
       {.reported_logits = never_filled},
       "The logits are part of the result: keep the matrix from before the softmax and return it "
       "beside weights and output."},
      {"L11",
       "logits and weights of the last row only",
       {kShapes},
       {.reported_logits = last_row_only, .reported_weights = last_row_only},
       "A matrix that is filled row by row must be kept for all rows; here only the last one was "
       "left. Allocate n × n before the loop and write into row i."},
  };
}

}  // namespace attention_assignment::misconceptions
