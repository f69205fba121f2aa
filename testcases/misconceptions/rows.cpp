// attention_row() that does not agree with attention().
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

/// Row i of attention with one stage exchanged.
template <typename Exchange>
AttentionModel with_other_rows(Exchange exchange) {
  AttentionModel model;
  model.attention_row = [exchange](const AttentionModel& self, Index i, const Problem& problem) {
    AttentionModel changed = self;
    exchange(changed);
    return row_of_attention(changed, i, problem);
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

AttentionRowResult options_ignored(const AttentionModel& model, Index i, const Problem& problem) {
  return row_of_attention(model, i, Problem{problem.Q, problem.K, problem.V, Options{}});
}

AttentionRowResult output_left_zero(const AttentionModel& model, Index i, const Problem& problem) {
  AttentionRowResult row = row_of_attention(model, i, problem);
  for (double& entry : row.output.entries) entry = 0;
  return row;
}

}  // namespace

std::vector<Misconception> row_misconceptions() {
  return {
      {"R01", "attention_row does not mask", {kValues}, with_other_rows([](AttentionModel& model) {
         model.mask = [](const Problem&, Matrix scores) { return scores; };
       })},
      {"R02",
       "attention_row returns the visible part only",
       {kShapes, kValues},
       {.attention_row = visible_part_only}},
      {"R03", "attention_row does not scale", {kValues}, with_other_rows([](AttentionModel& model) {
         model.scale = [](const Problem&, Matrix products) { return products; };
       })},
      {"R04", "attention_row counts rows from one", {kValues}, {.attention_row = counted_from_one}},
      {"R05", "attention_row ignores its options", {kValues}, {.attention_row = options_ignored}},
      {"R06",
       "attention_row leaves its output zero",
       {kValues},
       {.attention_row = output_left_zero}},
  };
}

}  // namespace attention_assignment::misconceptions
