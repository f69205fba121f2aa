// Objective whole: everything together, and nothing remembered between calls.
#include <algorithm>
#include <cmath>
#include <string>

#include "grader/base/fault.hpp"
#include "testcases/checks/checks.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/checks/same_answers.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/relations.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;

// ---- agreement.reference --------------------------------------------------------

/// "with causal on and scaled off"
std::string in_words(const Options& options) {
  const auto on_or_off = [](bool is_on) { return is_on ? std::string("on") : std::string("off"); };
  return "with causal " + on_or_off(options.causal) + " and scaled " + on_or_off(options.scaled);
}

/// The first weight or output that is not the expected one. Masked logits are not compared here:
/// what the mask is filled with shows in mask.future_logits, and only there as long as it holds.
std::optional<Judgement> wrong_result(const Trusted& trusted, const Called& called) {
  const AttentionInputs& inputs = called.inputs;
  const ExpectedAttention expected = trusted.attention(inputs);
  const std::int64_t n = inputs.n();
  std::vector<double> relative;
  for (std::int64_t i = 0; i < n; ++i) {
    relative.push_back(
        relative_error(n, inputs.d_k(), largest_visible(inputs, expected.magnitudes, i)));
  }
  const auto of_row = [&](std::int64_t i) { return relative[static_cast<std::size_t>(i)]; };
  if (const auto at = first_refused(n, n, [&](auto i, auto j) {
        const double right = expected.result.weights(i, j);
        return std::abs(called.own.weights(i, j) - right) <= weight_tolerance(of_row(i), right);
      })) {
    return wrong_entry("weights", called.own.weights, expected.result.weights, *at,
                       "what all stages together make of these inputs " + in_words(inputs.options),
                       &called);
  }
  if (const auto at = first_refused(n, inputs.d_v(), [&](auto i, auto column) {
        const ValueColumn values =
            value_column(inputs.V, column, [&](std::int64_t j) { return inputs.visible(i, j); });
        return std::abs(called.own.output(i, column) - expected.result.output(i, column)) <=
               output_tolerance(of_row(i), 1, values.largest, values.sum, n);
      })) {
    return wrong_entry("output", called.own.output, expected.result.output, *at,
                       "what all stages together make of these inputs " + in_words(inputs.options),
                       &called);
  }
  return std::nullopt;
}

/// A relation in words: what was changed, why that changes no output, and what reports call the
/// answer to the changed inputs.
struct RelationTexts {
  std::string change;
  std::string reason;
  std::string title;
};

RelationTexts texts_of(Relation relation, const Options& options) {
  switch (relation) {
    case Relation::shifted_keys:
      return {"shift is added to every key",
              "all logits of a row move by the same, so the softmax and the output stay",
              "keys + shift"};
    case Relation::repeated_features:
      return {std::string("every feature is there four times, and Q is divided by ") +
                  (options.scaled ? "2" : "4"),
              "every logit stays what it was, and so does the output", "features four times"};
    case Relation::permuted_tokens:
      return {"the first key and its value move to the end",
              "without a mask the order of the tokens does not matter to the output",
              "first key and value last"};
    case Relation::none: break;
  }
  throw grader::InternalFault("a case without a relation has no texts of one");
}

/// The outputs before and after a change of the inputs that must not change them.
std::optional<Judgement> broken_relation(Student& student, const Called& called,
                                         const Case& test_case) {
  const Relation relation = relation_of(test_case);
  const AttentionInputs related = related_inputs(test_case, called.inputs);
  const AttentionResult after = student.attention(related);
  if (!has_right_shapes(after, related)) return blocked_by("shapes.results");
  const OwnBounds before_bounds(called.inputs, called.own);
  const OwnBounds after_bounds(related, after);
  const auto at = first_refused(called.inputs.n(), called.inputs.d_v(), [&](auto i, auto column) {
    return same_answer(called.own.output(i, column), after.output(i, column),
                       before_bounds.output(i, column) + after_bounds.output(i, column));
  });
  if (!at) return std::nullopt;
  const RelationTexts texts = texts_of(relation, called.inputs.options);
  Judgement judgement = violated("When " + texts.change + ", " + texts.reason + "; here " +
                                     entry_text("output", at->row, at->column) + " changes from " +
                                     text_of(called.own.output(at->row, at->column)) + " to " +
                                     text_of(after.output(at->row, at->column)) + " (" +
                                     in_words(called.inputs.options) + ").",
                                 {{"output", after.output}}, {{"output", called.own.output}},
                                 grader::Difference{"output", at->row, at->column});
  judgement.returned_title = texts.title;
  judgement.expected_title = "as given";
  return judgement;
}

Judgement judge_agreement(const Trusted& trusted, const Case& test_case,
                          Implementation& implementation) {
  Student student(implementation);
  const Called called = call_attention(student, attention_inputs_of(test_case));
  if (!called.right_shapes) return blocked_by("shapes.results");
  if (auto wrong = wrong_result(trusted, called)) return *wrong;
  if (relation_of(test_case) != Relation::none && !called.cut) {
    if (auto broken = broken_relation(student, called, test_case)) return *broken;
  }
  return holds(has_finite_nonzero(called.own.output), "the output holds nothing but zeros");
}

// ---- purity.repeatable ----------------------------------------------------------

/// The same tokens in reverse order, with the other options: a call that leaves other traces.
AttentionInputs another_call(AttentionInputs inputs) {
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    for (std::int64_t low = 0, high = matrix->rows - 1; low < high; ++low, --high) {
      for (std::int64_t c = 0; c < matrix->columns; ++c) {
        std::swap((*matrix)(low, c), (*matrix)(high, c));
      }
    }
    for (double& entry : matrix->entries) entry = -entry;
  }
  inputs.options.scaled = !inputs.options.scaled;
  return inputs;
}

/// The first token once more at the end: a call of another size.
AttentionInputs with_one_token_more(AttentionInputs inputs) {
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    for (std::int64_t c = 0; c < matrix->columns; ++c) {
      matrix->entries.push_back((*matrix)(0, c));
    }
    ++matrix->rows;
  }
  return inputs;
}

/// A violation where `again`, the answer to the same call, is not that of `called`.
std::optional<Judgement> different_answer(const Called& called, const AttentionResult& again) {
  if (!called.right_shapes || !has_right_shapes(again, called.inputs)) {
    return violated("The same call of attention returned other sizes the second time.", {}, {},
                    std::nullopt);
  }
  const auto at = first_disagreement(called.inputs, called.own, again);
  if (!at) return std::nullopt;
  return wrong_entry(at->matrix, named(again, at->matrix), named(called.own, at->matrix),
                     at->position,
                     "the same call gave another answer after a call with other inputs", &called);
}

Judgement judge_repeatable(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const AttentionInputs inputs = attention_inputs_of(test_case);
  const Called first = call_stage(student, inputs);
  if (!first.right_shapes) return blocked_by("shapes.results");
  const AttentionInputs others = another_call(first.inputs);
  const AttentionResult other = student.attention(others);
  const AttentionResult again = student.attention(first.inputs);
  if (auto judgement = different_answer(first, again)) return *judgement;
  if (first.cut)
    return holds(has_finite_nonzero(first.own.weights), "the weights hold nothing but zeros");
  // The second inputs once more, after a call of another size: what was kept by size is gone then.
  const Called second{others, other, has_right_shapes(other, others), first.cut, first.unmasked};
  static_cast<void>(call_attention(student, with_one_token_more(first.inputs)));
  if (auto judgement = different_answer(second, student.attention(others))) return *judgement;
  return holds(has_finite_nonzero(first.own.weights), "the weights hold nothing but zeros");
}

}  // namespace

std::vector<Check> whole_checks(const Trusted& trusted) {
  Check agreement = check_on_attention_inputs("agreement.reference");
  agreement.generate = draw_related_inputs;
  for (Case& lesson : agreement.fixed_cases) lesson = with_relation(lesson, Relation::none);
  agreement.admits = admits_related_inputs;
  agreement.prepare = [&trusted](const Case& drawn) {
    static_cast<void>(trusted.attention(attention_inputs_of(drawn)));
  };
  agreement.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_agreement(trusted, test_case, implementation);
  };

  Check repeatable = check_on_attention_inputs("purity.repeatable");
  repeatable.fixed_cases.resize(1);
  repeatable.judge = judge_repeatable;
  repeatable.bypasses_memory = true;
  repeatable.share_of_cases = 0.2;
  return {agreement, repeatable};
}

}  // namespace attention_assignment
