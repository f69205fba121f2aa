// Objective mask: the future is hidden before the softmax, gets no weight, and changes nothing.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "testcases/checks/checks.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/checks/reach.hpp"
#include "testcases/checks/same_answers.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"
#include "testcases/generators/neighbours.hpp"
#include "testcases/generators/variants.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;

bool is_minus_infinity(double number) { return std::isinf(number) && number < 0; }

bool any_nonzero(const Matrix& matrix) {
  for (const double entry : matrix.entries) {
    if (std::isfinite(entry) && entry != 0) return true;
  }
  return false;
}

// ---- mask.future_logits ---------------------------------------------------------

/// The own logits with −∞ where the future is, and the own number elsewhere: what a mask should
/// have made of them.
Matrix masked_as_asked(const Called& called) {
  Matrix expected = called.own.logits;
  for (std::int64_t i = 0; i < expected.rows; ++i) {
    for (std::int64_t j = 0; j < expected.columns; ++j) {
      if (!called.inputs.visible(i, j)) expected(i, j) = -std::numeric_limits<double>::infinity();
    }
  }
  return expected;
}

/// A finite number that a wrong product of tokens i and j could be (minus their squared distance,
/// say, or the query times the value), however low: products are judged by scaling.logits.
bool could_be_a_product(const AttentionInputs& inputs, double logit, std::int64_t i,
                        std::int64_t j) {
  double largest = 0;
  for (const Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    largest = std::max({largest, row_norm(*matrix, i), row_norm(*matrix, j)});
  }
  return logit >= -8 * largest * largest;
}

Judgement judge_future_logits(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const Called called = call_attention(student, attention_inputs_of(test_case), Needs::logits);
  if (!called.right_shapes) return blocked_by("shapes.results");
  const Matrix& logits = called.own.logits;
  const AttentionInputs& inputs = called.inputs;
  const auto future = first_refused(logits.rows, logits.columns, [&](auto i, auto j) {
    return inputs.visible(i, j) || is_minus_infinity(logits(i, j));
  });
  if (future) {
    return wrong_entry("logits", logits, masked_as_asked(called), *future,
                       "token " + std::to_string(future->column) + " lies in the future of token " +
                           std::to_string(future->row) + ", so its logit is −∞ before the softmax",
                       &called);
  }
  // A visible logit that the mask has spoiled: −∞, a fill, or NaN that is not there without mask.
  Matrix unmasked;
  const auto spoiled = first_refused(logits.rows, logits.columns, [&](auto i, auto j) {
    if (!inputs.visible(i, j)) return true;
    if (is_filled(logits(i, j))) return could_be_a_product(inputs, logits(i, j), i, j);
    if (!std::isnan(logits(i, j)) || !inputs.options.causal) return true;
    if (unmasked.rows == 0) {
      AttentionInputs without_mask = inputs;
      without_mask.options.causal = false;
      unmasked = student.attention(without_mask).logits;
    }
    return unmasked.rows != logits.rows || unmasked.columns != logits.columns ||
           std::isnan(unmasked(i, j));
  });
  if (spoiled) {
    const std::string where = entry_text("logits", spoiled->row, spoiled->column);
    const std::string why = inputs.options.causal
                                ? "token " + std::to_string(spoiled->row) + " may see token " +
                                      std::to_string(spoiled->column) + ", which is not its future"
                                : "causal is off, so nothing is masked";
    return violated(where + " is " + text_of(logits(spoiled->row, spoiled->column)) +
                        " as if it were masked, but " + why + ".",
                    {{"logits", logits}}, {},
                    grader::Difference{"logits", spoiled->row, spoiled->column});
  }
  return holds(inputs.n() > 1 && any_nonzero(logits), "all logits are zero");
}

// ---- mask.future_weights --------------------------------------------------------

Judgement judge_future_weights(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const Called called = call_attention(student, attention_inputs_of(test_case), Needs::weights);
  if (!called.right_shapes) return blocked_by("shapes.results");
  const Matrix& weights = called.own.weights;
  const auto leak = first_refused(weights.rows, weights.columns, [&](auto i, auto j) {
    return j <= i || std::abs(weights(i, j)) <= kTiny;
  });
  if (leak) {
    Matrix expected = weights;
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      for (std::int64_t j = i + 1; j < weights.columns; ++j) expected(i, j) = 0;
    }
    return wrong_entry("weights", weights, expected, *leak,
                       "token " + std::to_string(leak->row) + " gives weight to token " +
                           std::to_string(leak->column) + " in its future",
                       &called);
  }
  return holds(called.inputs.n() > 1 && any_nonzero(weights), "all weights are zero");
}

/// attention_inputs() with causal on: without it there is no future to judge.
Case draw_causal_inputs(grader::Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_attention_inputs(random, schedule);
  for (grader::Input& input : drawn.inputs) {
    if (input.name == "causal") input.value = true;
  }
  return drawn;
}

bool admits_causal_inputs(const Case& test_case) {
  return admits_attention_inputs(test_case) && test_case.boolean("causal");
}

// ---- mask.past_invariance -------------------------------------------------------

struct TwoRuns {
  AttentionInputs before_inputs;
  AttentionInputs after_inputs;
  AttentionResult before;
  AttentionResult after;
  std::int64_t changed_token = 0;
  bool cut = false;  ///< to sizes that come out right
  bool right_shapes = false;
};

/// The tokens from `first` on with the opposite sign.
AttentionInputs with_negated_tokens(AttentionInputs inputs, std::int64_t first) {
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    const auto begin = matrix->entries.begin() + first * matrix->columns;
    std::transform(begin, matrix->entries.end(), begin, std::negate<>());
  }
  return inputs;
}

/// The outputs of the two runs, cut to equal sizes when the shapes fail (judging.hpp).
TwoRuns run_twice(Student& student, const Case& test_case) {
  TwoRuns runs{
      attention_inputs_of(test_case), changed_inputs_of(test_case), {}, {}, 0, false, false};
  runs.changed_token = std::min(test_case.integer("changed_token"), runs.before_inputs.n());
  if (test_case.boolean("through_self_attention")) {
    const auto run = [&](const AttentionInputs& inputs) {
      const SelectedTokens tokens = select_from_tokens(inputs);
      return student.self_attention(tokens.X, tokens.projections, inputs.options);
    };
    try {
      runs.before = run(runs.before_inputs);
      runs.after = run(runs.after_inputs);
    } catch (const grader::CallFault& fault) {
      if (!complains_about_sizes(fault.outcome)) throw;
      return runs;  // shapes.results and values.projections tell of it
    }
    runs.right_shapes = has_right_shapes(runs.before, runs.before_inputs) &&
                        has_right_shapes(runs.after, runs.after_inputs);
    return runs;
  }
  Called before = call_attention(student, runs.before_inputs);
  runs.cut = before.cut;
  if (before.cut) {
    // The tokens that were to change may be cut away: other ones change.
    runs.changed_token = (before.inputs.n() + 1) / 2;
    runs.after_inputs = with_negated_tokens(before.inputs, runs.changed_token);
  }
  runs.after = student.attention(runs.after_inputs);
  runs.before_inputs = std::move(before.inputs);
  runs.before = std::move(before.own);
  runs.right_shapes = before.right_shapes && has_right_shapes(runs.after, runs.after_inputs);
  return runs;
}

Matrix leading_block(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  Matrix block(rows, columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column)
      block(row, column) = matrix(row, column);
  }
  return block;
}

AttentionInputs first_tokens(const AttentionInputs& inputs, std::int64_t count) {
  return {leading_block(inputs.Q, count, inputs.d_k()),
          leading_block(inputs.K, count, inputs.d_k()),
          leading_block(inputs.V, count, inputs.d_v()), inputs.options};
}

AttentionResult first_tokens(const AttentionResult& result, std::int64_t count) {
  return {leading_block(result.logits, count, count), leading_block(result.weights, count, count),
          leading_block(result.output, count, result.output.columns)};
}

/// What underflow may let through of the future: weights of at most 2^-1022 times its values.
double untouched_by_future(const TwoRuns& runs, std::int64_t column) {
  const auto all = [](std::int64_t) { return true; };
  return kTiny * (value_column(runs.before_inputs.V, column, all).sum +
                  value_column(runs.after_inputs.V, column, all).sum);
}

Judgement judge_past_invariance(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const TwoRuns runs = run_twice(student, test_case);
  if (!runs.right_shapes) return blocked_by("shapes.results");
  const std::int64_t n = runs.before_inputs.n();
  const std::int64_t changed_token = runs.changed_token;
  const bool nothing_left_to_change = runs.cut && changed_token == n;
  if (nothing_left_to_change) return blocked_by("shapes.results");
  // Past rows see the same tokens in both runs, so only those count for the bound.
  const AttentionInputs past = first_tokens(runs.before_inputs, changed_token);
  const OwnBounds bounds(past, first_tokens(runs.before, changed_token));
  const auto changed = first_refused(changed_token, past.d_v(), [&](auto i, auto column) {
    return same_answer(runs.before.output(i, column), runs.after.output(i, column),
                       bounds.output(i, column) + untouched_by_future(runs, column));
  });
  if (changed) {
    const std::string name =
        test_case.boolean("through_self_attention") ? "self_attention" : "attention";
    return violated(
        "Changing the tokens from " + std::to_string(changed_token) +
            " on changed the output of token " + std::to_string(changed->row) +
            " before them, from " + text_of(runs.before.output(changed->row, changed->column)) +
            " to " + text_of(runs.after.output(changed->row, changed->column)) + " (" + name + ").",
        {{"output", runs.after.output}}, {{"output", runs.before.output}},
        grader::Difference{"output", changed->row, changed->column});
  }
  const Matrix& weights = runs.before.weights;
  if (n > 0 && weights(0, 0) == 0 && is_finite_row(weights, 0)) {
    return violated(
        "Token 0 sees only itself, so its output is its own value, V row 0; here weights(0, 0) is "
        "0.",
        {{"weights", weights}}, {}, grader::Difference{"weights", 0, 0});
  }
  // A submission that never looks at its inputs keeps every output unchanged.
  bool later_output_moved = false;
  bool past_is_finite = true;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t column = 0; column < runs.before_inputs.d_v(); ++column) {
      const double before = runs.before.output(i, column);
      if (i < changed_token) past_is_finite = past_is_finite && std::isfinite(before);
      if (i >= changed_token && before != runs.after.output(i, column)) later_output_moved = true;
    }
  }
  return holds(later_output_moved && past_is_finite,
               past_is_finite ? "no output follows the tokens that were changed"
                              : "the outputs before the changed tokens are not numbers");
}

}  // namespace

std::vector<Check> mask_checks() {
  Check future_logits = check_on_attention_inputs("mask.future_logits");
  future_logits.judge = judge_future_logits;

  Check future_weights = check_on_attention_inputs("mask.future_weights");
  future_weights.generate = draw_causal_inputs;
  future_weights.fixed_cases.resize(2);  // the causal ones
  future_weights.admits = admits_causal_inputs;
  future_weights.judge = judge_future_weights;
  future_weights.searches = {{"very low logits", depth_of_masked_rows, with_other_products, 80}};

  Check past_invariance = check_on_attention_inputs("mask.past_invariance");
  past_invariance.generate = draw_changed_tokens;
  past_invariance.fixed_cases = lesson_changes();
  past_invariance.admits = admits_changed_tokens;
  past_invariance.judge = judge_past_invariance;
  return {future_logits, future_weights, past_invariance};
}

}  // namespace attention_assignment
