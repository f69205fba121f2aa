// attention_row() that does not agree with attention().
#include <limits>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

/// Row i of attention() under `change(options)`.
template <typename Change>
AttentionModel with_other_rows(Change change) {
  AttentionModel model;
  model.attention_row = [change](const AttentionModel& self, Index i, const Problem& problem) {
    return row_of_attention(self, i, {problem.Q, problem.K, problem.V, change(problem.options)});
  };
  return model;
}

RowVector first_entries(RowVector row, Index count) {
  row.entries.resize(static_cast<std::size_t>(count));
  return row;
}

AttentionRowResult visible_part_only(const AttentionModel& model, Index i, const Problem& problem) {
  AttentionRowResult row = row_of_attention(model, i, problem);
  if (!problem.options.causal) return row;
  row.logits = first_entries(std::move(row.logits), i + 1);
  row.weights = first_entries(std::move(row.weights), i + 1);
  return row;
}

AttentionRowResult counted_from_one(const AttentionModel& model, Index i, const Problem& problem) {
  return row_of_attention(model, i == 0 ? 0 : i - 1, problem);
}

/// The output stays zero, or NaN where nobody initialised it.
AttentionModel output_left(double remains) {
  AttentionModel model;
  model.attention_row = [remains](const AttentionModel& self, Index i, const Problem& problem) {
    AttentionRowResult row = row_of_attention(self, i, problem);
    for (double& entry : row.output.entries) entry = remains;
    return row;
  };
  return model;
}

}  // namespace

std::vector<Misconception> row_misconceptions() {
  return {
      {"R01",
       "attention_row does not mask",
       {kValues},
       with_other_rows([](const Options& given) {
         return Options{false, given.scaled};
       }),
       "attention_row shows the future although attention hides it. The same mask applies: logit j "
       "> i is −∞."},
      {"R02",
       "attention_row returns the visible part only",
       {kShapes, kValues},
       {.attention_row = visible_part_only},
       "attention_row returns the visible part only. Its logits and weights have n entries: −∞ and "
       "0 for future tokens."},
      {"R03",
       "attention_row does not scale",
       {kValues},
       with_other_rows([](const Options& given) {
         return Options{given.causal, false};
       }),
       "attention_row leaves out the division by √d_k that attention makes."},
      {"R04",
       "attention_row counts rows from one",
       {kValues},
       {.attention_row = counted_from_one},
       "attention_row counts rows from one. Row i is the i-th from zero, as everywhere in C++."},
      {"R05",
       "attention_row ignores its options",
       {kValues},
       with_other_rows([](const Options&) { return Options{}; }),
       "attention_row computes with the default options instead of those it is given. Pass "
       "`options` on."},
      {"R06",
       "attention_row leaves its output zero",
       {kValues},
       output_left(0),
       "attention_row never fills its output. It is the weighted sum of the values for this row.",
       {output_left(std::numeric_limits<double>::quiet_NaN())}},
  };
}

}  // namespace attention_assignment::misconceptions
