// Assertions that prove too little or refuse what is right. The attention beneath them is right.
#include <cmath>
#include <cstdint>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

double sum_of_row(const Matrix& weights, Index i) {
  double sum = 0;
  for (Index j = 0; j < weights.columns; ++j) sum += weights(i, j);
  return sum;
}

/// `holds(row sum)` in every row.
template <typename Holds>
AttentionModel judging_row_sums(Holds holds) {
  AttentionModel model;
  model.rows_sum_to_one = [holds](const Matrix& weights) {
    for (Index i = 0; i < weights.rows; ++i) {
      if (!holds(sum_of_row(weights, i))) return false;
    }
    return true;
  };
  return model;
}

AttentionModel row_sums_within(double tolerance) {
  return judging_row_sums([tolerance](double sum) { return std::abs(sum - 1) < tolerance; });
}

bool first_row_only(const Matrix& weights) { return std::abs(sum_of_row(weights, 0) - 1) <= 1e-9; }

bool mean_of_row_sums(const Matrix& weights) {
  double sum = 0;
  for (Index i = 0; i < weights.rows; ++i) sum += sum_of_row(weights, i);
  return std::abs(sum / static_cast<double>(weights.rows) - 1) <= 1e-9;
}

bool columns_sum_to_one(const Matrix& weights) {
  return every_row_sums_to_one(transposed(weights));
}

bool matrix_sums_to_one(const Matrix& weights) {
  double sum = 0;
  for (double weight : weights.entries) sum += weight;
  return std::abs(sum - 1) <= 1e-9;
}

/// `future(i, j, n)` says which weights must be zero.
template <typename Future>
AttentionModel judging_future(Future future, double tolerance = 1e-9) {
  AttentionModel model;
  model.future_weights_are_zero = [future, tolerance](const Matrix& weights) {
    for (Index i = 0; i < weights.rows; ++i) {
      for (Index j = 0; j < weights.columns; ++j) {
        if (future(i, j, weights.columns) && !(std::abs(weights(i, j)) <= tolerance)) return false;
      }
    }
    return true;
  };
  return model;
}

AttentionModel future_within(double tolerance) {
  return judging_future([](Index i, Index j, Index) { return j > i; }, tolerance);
}

/// Compares the rows from `first(changed_token)` to before `end(changed_token, n)`.
template <typename First, typename End>
AttentionModel comparing_rows(First first, End end) {
  AttentionModel model;
  model.past_outputs_unchanged = [first, end](const Matrix& before, const Matrix& after,
                                              Index changed_token) {
    for (Index i = first(changed_token); i < end(changed_token, before.rows); ++i) {
      for (Index c = 0; c < before.columns; ++c) {
        if (!(std::abs(before(i, c) - after(i, c)) <= 1e-9)) return false;
      }
    }
    return true;
  };
  return model;
}

Index from_the_start(Index /*changed_token*/) { return 0; }

bool first_column_only(const Matrix& before, const Matrix& after, Index changed_token) {
  for (Index i = 0; i < changed_token; ++i) {
    if (!(std::abs(before(i, 0) - after(i, 0)) <= 1e-9)) return false;
  }
  return true;
}

bool row_counts_only(const AttentionResult& result, const Matrix& queries, const Matrix& /*keys*/,
                     const Matrix& /*values*/) {
  return result.logits.rows == queries.rows && result.weights.rows == queries.rows &&
         result.output.rows == queries.rows;
}

bool output_width_ignored(const AttentionResult& result, const Matrix& queries, const Matrix& keys,
                          const Matrix& /*values*/) {
  return row_counts_only(result, queries, keys, keys) && result.logits.columns == keys.rows &&
         result.weights.columns == keys.rows;
}

bool output_only(const AttentionResult& result, const Matrix& queries, const Matrix& /*keys*/,
                 const Matrix& values) {
  return result.output.rows == queries.rows && result.output.columns == values.columns;
}

bool output_as_wide_as_keys(const AttentionResult& result, const Matrix& queries,
                            const Matrix& keys, const Matrix& /*values*/) {
  return all_shapes_match(result, queries, keys, keys);
}

bool strictly_higher(const AttentionModel& model, const Matrix& scaled, const Matrix& unscaled) {
  for (Index i = 0; i < scaled.rows; ++i) {
    if (!(model.entropy(row_of(scaled, i)) > model.entropy(row_of(unscaled, i)))) return false;
  }
  return true;
}

bool higher_on_average(const AttentionModel& model, const Matrix& scaled, const Matrix& unscaled) {
  double difference = 0;
  for (Index i = 0; i < scaled.rows; ++i) {
    difference += model.entropy(row_of(scaled, i)) - model.entropy(row_of(unscaled, i));
  }
  return difference >= -1e-9;
}

bool last_row_only(const AttentionModel& model, const Matrix& scaled, const Matrix& unscaled) {
  const Index last = scaled.rows - 1;
  return model.entropy(row_of(scaled, last)) >= model.entropy(row_of(unscaled, last)) - 1e-9;
}

bool arguments_swapped(const AttentionModel& model, const Matrix& scaled, const Matrix& unscaled) {
  return no_row_loses_entropy(model, unscaled, scaled);
}

AttentionModel always(bool answer) {
  AttentionModel model;
  model.output_shapes_match = [answer](const AttentionResult&, const Matrix&, const Matrix&,
                                       const Matrix&) { return answer; };
  model.rows_sum_to_one = [answer](const Matrix&) { return answer; };
  model.future_weights_are_zero = [answer](const Matrix&) { return answer; };
  model.past_outputs_unchanged = [answer](const Matrix&, const Matrix&, Index) { return answer; };
  model.scaling_raises_entropy = [answer](const AttentionModel&, const Matrix&, const Matrix&) {
    return answer;
  };
  return model;
}

std::vector<Misconception> row_sum_assertions() {
  return {
      {"A03",
       "row sums: only the first row",
       {kAssertions},
       {.rows_sum_to_one = first_row_only},
       "Only the first row is looked at. Every row has to sum to one."},
      {"A04",
       "row sums: sums columns",
       {kAssertions},
       {.rows_sum_to_one = columns_sum_to_one},
       "The sums are taken down the columns. It is the rows that sum to one: each query spreads "
       "its own weight."},
      {"A05",
       "row sums: a tolerance as wide as 0.5",
       {kAssertions},
       row_sums_within(0.5),
       "The tolerance is so wide that half of a row's weight may be missing. Rounding needs no "
       "more than about 1e-9.",
       {row_sums_within(1), row_sums_within(0.25), row_sums_within(0.1), row_sums_within(0.05),
        row_sums_within(0.01)}},
      {"A06",
       "row sums: NaN passes",
       {kAssertions},
       judging_row_sums([](double sum) { return !(std::abs(sum - 1) > 1e-9); }),
       "A comparison with NaN is false, so that !(difference > tolerance) accepts it. Accept with "
       "difference <= tolerance instead."},
      {"A07",
       "row sums: exactly 1.0",
       {kAssertions},
       judging_row_sums([](double sum) { return sum == 1.0; }),
       "Honest rounding leaves sums such as 0.9999999999999999. Compare with a small tolerance, "
       "about 1e-9."},
      {"A18",
       "row sums: only their mean",
       {kAssertions},
       {.rows_sum_to_one = mean_of_row_sums},
       "The mean of the row sums can be one although rows are not. Look at every row."},
      {"A19",
       "row sums: the whole matrix sums to one",
       {kAssertions},
       {.rows_sum_to_one = matrix_sums_to_one},
       "The sum over the whole matrix was compared with one. Every single row sums to one."},
      {"A20",
       "row sums: at most one",
       {kAssertions},
       judging_row_sums([](double sum) { return sum <= 1 + 1e-9; }),
       "Sums below one are accepted. Compare the distance to one: |sum − 1| ≤ tolerance."},
      {"A21",
       "row sums: no absolute value around the difference",
       {kAssertions},
       judging_row_sums([](double sum) { return 1 - sum <= 1e-9; }),
       "Without the absolute value sums above one are accepted. Compare |sum − 1| with the "
       "tolerance."},
  };
}

std::vector<Misconception> future_assertions() {
  return {
      {"A08",
       "future weights: only the last column",
       {kAssertions},
       judging_future([](Index i, Index j, Index n) { return j == n - 1 && j > i; }),
       "Only the last column is looked at. Every weight with j > i has to be zero."},
      {"A17",
       "future weights: includes the diagonal",
       {kAssertions},
       judging_future([](Index i, Index j, Index) { return j >= i; }),
       "The diagonal is demanded to be zero too, but a token attends to itself. Look at j > i "
       "only."},
      {"A22",
       "future weights: only the first row",
       {kAssertions},
       judging_future([](Index i, Index j, Index) { return i == 0 && j > 0; }),
       "Only the first row is looked at. Every weight with j > i has to be zero, in all rows."},
      {"A23",
       "future weights: only the next token",
       {kAssertions},
       judging_future([](Index i, Index j, Index) { return j == i + 1; }),
       "Only the very next token is looked at. Every weight with j > i has to be zero."},
      {"A24",
       "future weights: the next token left out",
       {kAssertions},
       judging_future([](Index i, Index j, Index) { return j > i + 1; }),
       "The next token is left out: the loop starts at i + 2. Every weight with j > i has to be "
       "zero."},
      {"A25",
       "future weights: the lower triangle",
       {kAssertions},
       judging_future([](Index i, Index j, Index) { return j < i; }),
       "The lower triangle, the past, is demanded to be zero. The future is j > i."},
      {"A26",
       "future weights: a tolerance as wide as 0.1",
       {kAssertions},
       future_within(0.1),
       "The tolerance lets a tenth of a row's weight leak from the future. Future weights are "
       "zero, up to next to nothing.",
       {future_within(0.5), future_within(0.05), future_within(0.01), future_within(5e-3)}},
  };
}

std::vector<Misconception> past_assertions() {
  const auto up_to_changed = [](Index token, Index) { return token; };
  return {
      {"A09",
       "past outputs: compares all rows",
       {kAssertions},
       comparing_rows(from_the_start, [](Index, Index n) { return n; }),
       "All rows are compared, but those from changed_token on may change. Only rows before it "
       "must stay."},
      {"A14",
       "past outputs: compares only the first row",
       {kAssertions},
       comparing_rows(from_the_start, [](Index token, Index) { return token < 1 ? token : 1; }),
       "Only the first row is compared. All rows before changed_token must stay."},
      {"A15",
       "past outputs: compares the changed row too",
       {kAssertions},
       comparing_rows(from_the_start,
                      [](Index token, Index n) { return token < n ? token + 1 : n; }),
       "The changed row is compared as well, but it may change. Only rows before changed_token "
       "must stay."},
      {"A27",
       "past outputs: changed_token counted from 1",
       {kAssertions},
       comparing_rows(from_the_start, [](Index token, Index) { return token - 1; }),
       "changed_token counts from 0: all rows i < changed_token are past, also the one right "
       "before it."},
      {"A28",
       "past outputs: skips the first row",
       {kAssertions},
       comparing_rows([](Index) { return Index{1}; }, up_to_changed),
       "The comparison skips the first row. All rows before changed_token must stay, from row 0 "
       "on."},
      {"A29",
       "past outputs: compares the first column only",
       {kAssertions},
       {.past_outputs_unchanged = first_column_only},
       "Only the first column is compared. A past output may not change in any column."},
      {"A30",
       "past outputs: compares the rows from changed_token on",
       {kAssertions},
       comparing_rows([](Index token) { return token; }, [](Index, Index n) { return n; }),
       "The rows from changed_token on are compared. It is those before it that must stay."},
  };
}

std::vector<Misconception> shape_and_entropy_assertions() {
  return {
      {"A10",
       "shapes: only row counts",
       {kAssertions},
       {.output_shapes_match = row_counts_only},
       "Only the numbers of rows are compared. Compare the columns too: n × n, n × n, n × d_v."},
      {"A12",
       "shapes: the output's width ignored",
       {kAssertions},
       {.output_shapes_match = output_width_ignored},
       "The output's width is not compared. It is that of V: n × d_v."},
      {"A31",
       "shapes: only the output",
       {kAssertions},
       {.output_shapes_match = output_only},
       "Only the output is looked at. Logits and weights have to be n × n as well."},
      {"A32",
       "shapes: output compared with the keys' width",
       {kAssertions},
       {.output_shapes_match = output_as_wide_as_keys},
       "The output's width is compared with that of the keys. It is that of the values, d_v."},
      {"A11",
       "entropy: strictly greater",
       {kAssertions},
       {.scaling_raises_entropy = strictly_higher},
       "Entropies may be equal, as in a row with one visible token. Scaling must not lower them: "
       "compare with ≥."},
      {"A16",
       "entropy: compares the mean over rows",
       {kAssertions},
       {.scaling_raises_entropy = higher_on_average},
       "The mean may rise although single rows fall. Compare row by row."},
      {"A33",
       "entropy: only the last row",
       {kAssertions},
       {.scaling_raises_entropy = last_row_only},
       "Only the last row is compared. Every row's entropy must not fall."},
      {"A34",
       "entropy: arguments swapped",
       {kAssertions},
       {.scaling_raises_entropy = arguments_swapped},
       "The arguments changed places: it is the scaled weights that have the higher entropy."},
  };
}

}  // namespace

std::vector<Misconception> assertion_misconceptions() {
  std::vector<Misconception> all = {
      {"A01",
       "assertions always true",
       {kAssertions},
       always(true),
       "An assertion that accepts everything proves nothing. It has to look at the data and return "
       "false where the promise is broken."},
      {"A02",
       "assertions always false",
       {kAssertions},
       always(false),
       "An assertion that refuses everything proves nothing. It has to return true where the "
       "promise is kept."},
  };
  for (const auto& group : {row_sum_assertions(), future_assertions(), past_assertions(),
                            shape_and_entropy_assertions()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace attention_assignment::misconceptions
