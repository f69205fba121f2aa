// Objective values: the output is the weighted sum of the visible values, of projected tokens, and
// the same row by row.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "testcases/checks/checks.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/checks/same_answers.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"
#include "testcases/generators/variants.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;

/// How far the outputs of one row may be from own weights times V.
class OwnOutputTolerance {
 public:
  OwnOutputTolerance(const Called& called, std::int64_t row)
      : called_(called),
        row_(row),
        relative_(own_relative_error(called.inputs, called.own.logits, row,
                                     magnitude_bound(called.inputs, row))),
        weight_(sum_of_sizes(called.own.weights, row)) {}

  [[nodiscard]] double at(std::int64_t column) const {
    const Matrix& weights = called_.own.weights;
    const ValueColumn values = value_column(called_.inputs.V, column,
                                            [&](std::int64_t j) { return weights(row_, j) != 0; });
    return output_tolerance(2 * relative_, weight_, values.largest, values.sum, called_.inputs.n());
  }

 private:
  const Called& called_;
  std::int64_t row_;
  double relative_;
  double weight_;
};

// ---- values.weighted_sum --------------------------------------------------------

Judgement judge_weighted_sum(const Trusted& trusted, const Case& test_case,
                             Implementation& implementation) {
  Student student(implementation);
  const Called called = call_stage(student, attention_inputs_of(test_case));
  if (!called.right_shapes) return blocked_by("shapes.results");
  const Matrix& output = called.own.output;
  const Matrix expected = trusted.output_on_weights(called.inputs, called.own.weights);
  std::int64_t judged = 0;
  bool any_output = false;
  for (std::int64_t i = 0; i < output.rows; ++i) {
    if (!is_finite_row(called.own.weights, i) || !is_finite_row(expected, i)) continue;
    ++judged;
    const OwnOutputTolerance tolerance(called, i);
    const auto wrong = first_refused(1, output.columns, [&](auto, auto column) {
      any_output = any_output || expected(i, column) != 0;
      return std::abs(output(i, column) - expected(i, column)) <= tolerance.at(column);
    });
    if (wrong) {
      Judgement judgement =
          wrong_entry("output", output, expected, {i, wrong->column},
                      "row " + std::to_string(i) + " of your own weights times column " +
                          std::to_string(wrong->column) + " of V",
                      &called);
      judgement.returned.insert(judgement.returned.begin(), {"weights", called.own.weights});
      return judgement;
    }
  }
  if (judged == 0) return blocked_by("softmax.values");
  return holds(any_output, "weights times values are all zero");
}

// ---- values.convex --------------------------------------------------------------

/// The sum of a row of own weights, where all of them are finite, none is negative and one is more
/// than an underflow may have left behind; only such a row promises an output between the values
/// (times its sum, which is one in a distribution).
std::optional<double> sum_of_weights(const Matrix& weights, std::int64_t row) {
  double sum = 0;
  double largest = 0;
  for (std::int64_t j = 0; j < weights.columns; ++j) {
    if (!(weights(row, j) >= 0)) return std::nullopt;
    sum += weights(row, j);
    largest = std::max(largest, weights(row, j));
  }
  if (!(largest > kTiny && sum <= kLargestValue)) return std::nullopt;
  return sum;
}

/// Said only where the weights are no distribution.
std::string sum_remark(double sum) {
  constexpr double kVisible = 1e-9;
  return std::abs(sum - 1) <= kVisible ? ""
                                       : ", times " + text_of(sum) + ", the sum of its weights";
}

bool has_several_values(const Matrix& V) {
  for (std::int64_t column = 0; column < V.columns; ++column) {
    for (std::int64_t j = 1; j < V.rows; ++j) {
      if (V(j, column) != V(0, column)) return true;
    }
  }
  return false;
}

Judgement judge_convex(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const Called called = call_stage(student, attention_inputs_of(test_case));
  if (!called.right_shapes) return blocked_by("shapes.results");
  const AttentionInputs& inputs = called.inputs;
  const Matrix& output = called.own.output;
  std::int64_t judged = 0;
  for (std::int64_t i = 0; i < inputs.n(); ++i) {
    const std::optional<double> sum = sum_of_weights(called.own.weights, i);
    if (!sum) continue;
    const OwnOutputTolerance tolerance(called, i);
    // A token that sees only itself tells nothing about the others' weights.
    if (inputs.n() == 1 || inputs.visible(i, i == 0 ? 1 : 0)) ++judged;
    for (std::int64_t column = 0; column < inputs.d_v(); ++column) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::int64_t j = 0; j < inputs.n(); ++j) {
        // A weight that underflow may have left behind is none.
        if (!(called.own.weights(i, j) > kTiny)) continue;
        low = std::min(low, inputs.V(j, column));
        high = std::max(high, inputs.V(j, column));
      }
      const double slack = tolerance.at(column);
      const double own = output(i, column);
      if (own >= *sum * low - slack && own <= *sum * high + slack) continue;
      return violated(entry_text("output", i, column) + " is " + text_of(own) +
                          ", outside of the values it is a mean of, which lie between " +
                          text_of(low) + " and " + text_of(high) + sum_remark(*sum) + ".",
                      {{"weights", called.own.weights}, {"output", output}}, {},
                      grader::Difference{"output", i, column});
    }
  }
  if (judged == 0) return blocked_by("softmax.row_sums");
  return holds(has_several_values(inputs.V) || inputs.n() == 1, "all values are the same");
}

// ---- values.projections ---------------------------------------------------------

Matrix leading_columns(const Matrix& matrix, std::int64_t count) {
  Matrix result(matrix.rows, count);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t column = 0; column < count; ++column) {
      result(row, column) = matrix(row, column);
    }
  }
  return result;
}

/// The first `size` tokens, and projections onto `size` features each: n = d_k = d_v.
struct ProjectedTokens {
  Matrix X;
  ProjectionMatrices projections;
};
ProjectedTokens square_part(const ProjectedTokens& tokens, std::int64_t size) {
  ProjectedTokens part = tokens;
  part.X.rows = size;
  part.X.entries.resize(static_cast<std::size_t>(size * part.X.columns));
  for (Matrix* matrix : {&part.projections.W_q, &part.projections.W_k, &part.projections.W_v}) {
    *matrix = leading_columns(*matrix, size);
  }
  return part;
}

Judgement judge_projections(const Trusted& trusted, const Case& test_case,
                            Implementation& implementation) {
  Student student(implementation);
  const Options options{test_case.boolean("causal"), test_case.boolean("scaled")};
  ProjectedTokens tokens{test_case.matrix("X"), projections_of(test_case)};
  // The cut of call_stage() is made on the tokens, so that both functions see the same.
  const Called called = call_stage(student, trusted.project(tokens.X, tokens.projections, options));
  if (!called.right_shapes) return blocked_by("shapes.results");
  if (called.cut) tokens = square_part(tokens, called.inputs.n());
  const AttentionResult own =
      student.self_attention(tokens.X, tokens.projections, called.inputs.options);
  const AttentionResult& expected = called.own;
  if (!has_right_shapes(own, called.inputs)) {
    return violated("self_attention returns an output of size " +
                        size_text(own.output.rows, own.output.columns) + ", expected " +
                        size_text(called.inputs.n(), called.inputs.d_v()) + ".",
                    {{"output", own.output}}, {{"output", expected.output}}, std::nullopt);
  }
  if (const auto at = first_disagreement(called.inputs, expected, own)) {
    return wrong_entry(at->matrix, named(own, at->matrix), named(expected, at->matrix),
                       at->position, "self_attention(X) is your own attention(X·W_q, X·W_k, X·W_v)",
                       &called);
  }
  if (!has_finite(own.weights)) return blocked_by("softmax.values");
  return holds(has_finite_nonzero(own.output), "the output holds nothing but zeros");
}

// ---- rows.consistent ------------------------------------------------------------

/// `row` in row `i` of matrices that are otherwise those of `whole`.
AttentionResult with_row(AttentionResult whole, const AttentionRowResult& row, std::int64_t i) {
  for (std::int64_t j = 0; j < row.logits.size(); ++j) whole.logits(i, j) = row.logits(j);
  for (std::int64_t j = 0; j < row.weights.size(); ++j) whole.weights(i, j) = row.weights(j);
  for (std::int64_t c = 0; c < row.output.size(); ++c) whole.output(i, c) = row.output(c);
  return whole;
}

Judgement judge_rows(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const Called called = call_stage(student, attention_inputs_of(test_case));
  if (!called.right_shapes) return blocked_by("shapes.results");
  const AttentionInputs& inputs = called.inputs;
  const std::int64_t i = std::min(test_case.integer("i"), inputs.n() - 1);
  const AttentionRowResult row = student.attention_row(i, inputs);
  if (row.logits.size() != inputs.n() || row.weights.size() != inputs.n() ||
      row.output.size() != inputs.d_v()) {
    return violated("attention_row returns " + std::to_string(row.logits.size()) + " logits, " +
                        std::to_string(row.weights.size()) + " weights and " +
                        std::to_string(row.output.size()) + " outputs; expected " +
                        std::to_string(inputs.n()) + ", " + std::to_string(inputs.n()) + " and " +
                        std::to_string(inputs.d_v()) + ".",
                    {}, {}, std::nullopt);
  }
  const AttentionResult own = with_row(called.own, row, i);
  if (const auto at = first_disagreement(inputs, called.own, own)) {
    return wrong_entry(at->matrix, named(own, at->matrix), named(called.own, at->matrix),
                       at->position,
                       "attention_row(" + std::to_string(i) + ") is row " + std::to_string(i) +
                           " of your own attention",
                       &called);
  }
  const Matrix weights = as_matrix(row.weights);
  if (!has_finite(weights)) return blocked_by("softmax.values");
  return holds(has_finite_nonzero(weights), "all weights of the row are zero");
}

}  // namespace

std::vector<Check> values_checks(const Trusted& trusted) {
  Check weighted_sum = check_on_attention_inputs("values.weighted_sum");
  weighted_sum.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_weighted_sum(trusted, test_case, implementation);
  };

  Check convex = check_on_attention_inputs("values.convex");
  convex.judge = judge_convex;

  Check projections;
  projections.id = "values.projections";
  projections.generate = draw_projections;
  projections.fixed_cases = {lesson_projections()};
  projections.admits = admits_projections;
  projections.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_projections(trusted, test_case, implementation);
  };
  projections.quotas = {{"integers", 0.3}, {"quarters", 0.3}};
  projections.share_of_cases = 0.5;

  Check rows = check_on_attention_inputs("rows.consistent");
  rows.generate = draw_inputs_and_row;
  for (Case& lesson : rows.fixed_cases) {
    lesson.inputs.push_back({"i", std::int64_t{2}, {"n"}, false});
  }
  rows.admits = admits_inputs_and_row;
  rows.judge = judge_rows;
  return {weighted_sum, convex, projections, rows};
}

}  // namespace attention_assignment
