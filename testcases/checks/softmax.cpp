// Objective stable softmax: rows sum to one, the values are those of a softmax, a common shift
// changes nothing, and no logit is too large, too small or too far from the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "testcases/checks/checks.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/checks/reach.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"
#include "testcases/generators/neighbours.hpp"
#include "testcases/generators/rows.hpp"
#include "testcases/generators/variants.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;
using grader::RowVector;

/// Where a saturated row may differ from one-hot.
constexpr double kOneHot = 1e-12;

/// Logits of this size, in a direct call of softmax, still leave five digits of a weight right, and
/// lie beyond the constants that people take for −∞ when they look for a maximum. Those of
/// attention stay within 1e9, which a mask may be filled with.
constexpr double kLargestExtremeLogit = 4e9;

// ---- softmax.row_sums -----------------------------------------------------------

Judgement row_sums_of(const Called& called) {
  const AttentionInputs& inputs = called.inputs;
  const Matrix& weights = called.own.weights;
  const std::int64_t n = inputs.n();
  std::int64_t judged = 0;
  Matrix sums(n, 1);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) sums(i, 0) += weights(i, j);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (!is_usable_logits_row(called.own.logits, i)) continue;
    ++judged;
    long double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      if (!(weights(i, j) >= 0 && std::isfinite(weights(i, j)))) {
        return violated(entry_text("weights", i, j) + " is " + text_of(weights(i, j)) +
                            "; a weight is a finite number and not negative.",
                        {{"weights", weights}}, {}, grader::Difference{"weights", i, j});
      }
      sum += weights(i, j);
    }
    const double relative =
        own_relative_error(inputs, called.own.logits, i, magnitude_bound(inputs, i));
    if (!(std::abs(static_cast<double>(sum - 1)) <= row_sum_tolerance(relative, n))) {
      return violated("Row " + std::to_string(i) + " of the weights sums to " +
                          text_of(static_cast<double>(sum)) + " instead of 1.",
                      {{"weights", weights}, {"row sums", sums}}, {{"row sums", Matrix(n, 1, 1.0)}},
                      grader::Difference{"row sums", i, 0});
    }
  }
  if (judged == 0) return blocked_by("scaling.logits");
  return holds(true);
}

Judgement judge_row_sums(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const Called called =
      call_stage(student, attention_inputs_of(test_case), Needs::logits_and_weights);
  return called.right_shapes ? row_sums_of(called) : blocked_by("shapes.results");
}

// ---- softmax.values -------------------------------------------------------------

/// The first weight that is neither what the own logits give as they are, nor what they give over
/// the visible keys (a mask after the softmax is the mask's mistake).
struct WrongWeight {
  Position position;
  Matrix expected;
};

/// The first column in which row `row` of the weights is not the softmax in `expected`, within the
/// bound.
std::optional<std::int64_t> first_wrong_column(const Called& called, const Matrix& expected,
                                               std::int64_t row, double magnitude) {
  const double relative = own_relative_error(called.inputs, called.own.logits, row, magnitude);
  for (std::int64_t j = 0; j < expected.columns; ++j) {
    const double right = expected(row, j);
    const double tolerance =
        relative <= kLargestRelativeError ? weight_tolerance(2 * relative, right) : kOneHot;
    if (!(std::abs(called.own.weights(row, j) - right) <= tolerance)) return j;
  }
  return std::nullopt;
}

/// Judges the weights on the own logits. `judged` counts the rows that could be.
std::optional<WrongWeight> first_wrong_weight(const Trusted& trusted, const Called& called,
                                              const Matrix& magnitudes, std::int64_t& judged) {
  const Matrix as_returned =
      trusted.weights_on_logits(called.inputs, called.own.logits, Keys::as_returned);
  const Matrix visible = trusted.weights_on_logits(called.inputs, called.own.logits, Keys::visible);
  for (std::int64_t i = 0; i < called.inputs.n(); ++i) {
    if (!is_usable_logits_row(called.own.logits, i)) continue;
    ++judged;
    const double magnitude = largest_visible(called.inputs, magnitudes, i);
    const auto wrong_as_returned = first_wrong_column(called, as_returned, i, magnitude);
    const auto wrong_visible = first_wrong_column(called, visible, i, magnitude);
    if (!wrong_as_returned || !wrong_visible) continue;
    if (is_finite_row(visible, i)) return WrongWeight{{i, *wrong_visible}, visible};
    return WrongWeight{{i, *wrong_as_returned}, as_returned};
  }
  return std::nullopt;
}

/// A direct call of softmax(): the bound for exact logits, or one-hot where they are enormous.
std::optional<Judgement> wrong_direct_softmax(const Trusted& trusted, Student& student,
                                              const RowVector& z) {
  const RowVector own = student.softmax(z);
  const RowVector expected = trusted.softmax(z);
  if (own.size() != z.size()) {
    return violated("softmax returns " + std::to_string(own.size()) + " weights for " +
                        std::to_string(z.size()) + " logits.",
                    {{"weights", as_matrix(own)}}, {{"weights", as_matrix(expected)}},
                    std::nullopt);
  }
  double largest = 0;
  for (const double logit : z.entries) {
    if (std::isfinite(logit)) largest = std::max(largest, std::abs(logit));
  }
  const double relative = softmax_relative_error(z.size(), largest);
  for (std::int64_t j = 0; j < z.size(); ++j) {
    const double tolerance =
        relative <= kLargestRelativeError ? weight_tolerance(relative, expected(j)) : kOneHot;
    if (!(std::abs(own(j) - expected(j)) <= tolerance)) {
      return wrong_entry("weights", as_matrix(own), as_matrix(expected), {0, j},
                         "it is exp(z) over the sum of all exp(z), in a direct call of softmax");
    }
  }
  return std::nullopt;
}

Judgement judge_weights(const Trusted& trusted, Student& student, const AttentionInputs& inputs) {
  const Called called = call_stage(student, inputs, Needs::logits_and_weights);
  if (!called.right_shapes) return blocked_by("shapes.results");
  std::int64_t judged = 0;
  const Matrix magnitudes = trusted.attention(called.inputs).magnitudes;
  if (const auto wrong = first_wrong_weight(trusted, called, magnitudes, judged)) {
    Judgement judgement = wrong_entry(
        "weights", called.own.weights, wrong->expected, wrong->position,
        "the softmax of your own logits in row " + std::to_string(wrong->position.row), &called);
    judgement.returned.insert(judgement.returned.begin(), {"logits", called.own.logits});
    return judgement;
  }
  if (judged == 0) return blocked_by("scaling.logits");
  return holds(called.inputs.n() > 1);
}

Judgement judge_softmax_values(const Trusted& trusted, const Case& test_case,
                               Implementation& implementation) {
  Student student(implementation);
  if (const auto wrong = wrong_direct_softmax(trusted, student, test_case.row("z"))) return *wrong;
  return judge_weights(trusted, student, attention_inputs_of(test_case));
}

Case with_row(Case test_case, RowVector z) {
  test_case.inputs.push_back({"z", std::move(z), {"m"}, false});
  return test_case;
}

Case draw_softmax_case(grader::Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_attention_inputs(random, schedule);
  return with_row(std::move(drawn), draw_logits(random, schedule).row);
}

bool admits_softmax_case(const Case& test_case) {
  return admits_attention_inputs(test_case) && is_ordinary_row(test_case.row("z"));
}

// ---- softmax.shift_invariance ---------------------------------------------------

RowVector shifted(RowVector row, double shift) {
  for (double& logit : row.entries) logit += shift;
  return row;
}

Case shift_case(RowVector z, double shift, std::string label) {
  Case result;
  result.inputs = {{"z", std::move(z), {"n"}, false}, {"shift", shift, {}, false}};
  result.label = std::move(label);
  return result;
}

Case draw_shift(grader::Random& random, const grader::Schedule& schedule) {
  RowVector z = draw_dyadic_logits(random);
  const bool large = schedule.index % 2 == 0;
  const auto shift = static_cast<double>(large ? random.integer(-450, 450) : random.integer(-8, 8));
  return shift_case(std::move(z), shift, large ? "large shift" : "small shift");
}

/// Multiples of 2^-10 only, so that z + shift is exact.
bool admits_shift(const Case& test_case) {
  const RowVector& z = test_case.row("z");
  const double shift = test_case.number("shift");
  const auto dyadic = [](double number) {
    const double units = std::ldexp(number, 10);
    return std::isfinite(units) && units == std::floor(units);
  };
  return dyadic(shift) && std::ranges::all_of(z.entries, dyadic) && is_ordinary_row(z) &&
         is_ordinary_row(shifted(z, shift));
}

Judgement judge_shift(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const RowVector& z = test_case.row("z");
  const RowVector moved = shifted(z, test_case.number("shift"));
  const RowVector before = student.softmax(z);
  const RowVector after = student.softmax(moved);
  if (before.size() != z.size() || after.size() != z.size()) return blocked_by("softmax.values");
  double largest = 0;
  for (std::int64_t j = 0; j < z.size(); ++j) {
    largest = std::max({largest, std::abs(z(j)), std::abs(moved(j))});
  }
  const double relative = softmax_relative_error(z.size(), largest);
  bool varies = z.size() == 1;
  for (std::int64_t j = 0; j < z.size(); ++j) {
    const double size = std::max(std::abs(before(j)), std::abs(after(j)));
    if (!same_answer(before(j), after(j), 2 * weight_tolerance(relative, size))) {
      return wrong_entry(
          "weights", as_matrix(after), as_matrix(before), {0, j},
          "adding " + text_of(test_case.number("shift")) + " to every logit changed the softmax");
    }
    varies = varies || (std::isfinite(before(j)) && before(j) != before(0));
  }
  return holds(varies, "all weights are the same");
}

// ---- softmax.stability ----------------------------------------------------------

/// True when rows of weights do not even sum to one on the same inputs made moderate. That mistake
/// has nothing to do with extremes: softmax.row_sums judges it, and stability then rests on the
/// direct calls of softmax.
bool loses_weight_in_the_domain(Student& student, AttentionInputs inputs) {
  if (!fit_into_domain(inputs.Q, inputs.K, inputs.V)) return false;
  const Called called = call_attention(student, inputs, Needs::logits_and_weights);
  return called.right_shapes && row_sums_of(called).verdict == Judgement::Verdict::violated;
}

Judgement judge_stability(const Trusted& trusted, const Case& test_case,
                          Implementation& implementation) {
  Student student(implementation);
  if (const auto wrong = wrong_direct_softmax(trusted, student, test_case.row("z"))) return *wrong;
  const AttentionInputs inputs = attention_inputs_of(test_case);
  Judgement judgement = judge_weights(trusted, student, inputs);
  const bool violated = judgement.verdict == Judgement::Verdict::violated;
  return violated && loses_weight_in_the_domain(student, inputs) ? holds(true) : judgement;
}

Case draw_stability(grader::Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_extreme_inputs(random, schedule);
  LabelledRow extreme = draw_extreme_logits(random, schedule);
  drawn.label = extreme.label;
  return with_row(std::move(drawn), std::move(extreme.row));
}

/// Numbers stay where no right program overflows, and where the error bound still says something
/// or the row is one-hot for everybody.
bool admits_stability(const Case& test_case) {
  const Matrix& Q = test_case.matrix("Q");
  const Matrix& K = test_case.matrix("K");
  const Matrix& V = test_case.matrix("V");
  if (Q.rows < 1 || Q.columns < 1 || V.columns < 1) return false;
  for (const Matrix* matrix : {&Q, &K, &V}) {
    for (const double entry : matrix->entries) {
      if (!(std::abs(entry) <= 1e6)) return false;
    }
  }
  double query = 0;
  double key = 0;
  for (std::int64_t row = 0; row < Q.rows; ++row) {
    query = std::max(query, row_norm(Q, row));
    key = std::max(key, row_norm(K, row));
  }
  if (!(query * key <= 1e9)) return false;
  const RowVector& z = test_case.row("z");
  if (!is_promised_row(z)) return false;
  double largest = 0;
  std::int64_t on_top = 0;
  double top = -std::numeric_limits<double>::infinity();
  for (const double logit : z.entries) {
    if (std::isfinite(logit)) largest = std::max(largest, std::abs(logit));
    if (logit > top) on_top = 0;
    if (logit >= top) ++on_top;
    top = std::max(top, logit);
  }
  if (largest <= kLargestExtremeLogit) return true;
  return on_top == 1 && top >= 0 &&
         std::ranges::all_of(z.entries, [&](double z_j) { return z_j == top || z_j <= top / 2; });
}

std::vector<Case> fixed_stability_cases() {
  constexpr double kMasked = -std::numeric_limits<double>::infinity();
  const auto fixed = [](std::vector<double> z, std::string name) {
    RowVector row{std::move(z)};
    Case result = with_row(attention_case(lesson_inputs({}), "fixed", std::move(name)), row);
    return result;
  };
  return {fixed({1000, 1001, 1002}, "logits about 1000"),
          fixed({-1000, -1001, -1002}, "logits about -1000"),
          fixed({-20000, -20001}, "all logits far below zero"),
          fixed({0, 800}, "two logits far apart"),
          fixed({kMasked, 0, 1}, "a masked token in front"),
          fixed({kMasked, kMasked, -5000}, "one visible token"),
          fixed({710, 710, 710, 710}, "each exponential overflows")};
}

}  // namespace

std::vector<Check> softmax_checks(const Trusted& trusted) {
  Check row_sums = check_on_attention_inputs("softmax.row_sums");
  row_sums.judge = judge_row_sums;

  Check values = check_on_attention_inputs("softmax.values");
  values.generate = draw_softmax_case;
  values.fixed_cases.clear();
  for (Case& lesson : lesson_cases()) {
    values.fixed_cases.push_back(with_row(std::move(lesson), RowVector{{0, 1, 2, -1}}));
  }
  values.admits = admits_softmax_case;
  values.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_softmax_values(trusted, test_case, implementation);
  };

  Check shift;
  shift.id = "softmax.shift_invariance";
  shift.generate = draw_shift;
  shift.fixed_cases = {shift_case(RowVector{{0, 1, 2}}, 1, "small shift"),
                       shift_case(RowVector{{0, 1, 2}}, -500, "large shift")};
  shift.admits = admits_shift;
  shift.judge = judge_shift;
  shift.quotas = {{"large shift", 0.4}, {"small shift", 0.4}};
  shift.share_of_cases = 0.5;

  Check stability;
  stability.id = "softmax.stability";
  stability.generate = draw_stability;
  stability.fixed_cases = fixed_stability_cases();
  stability.admits = admits_stability;
  stability.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_stability(trusted, test_case, implementation);
  };
  stability.searches = {{"very low logits", depth_of_row, with_other_row, 24},
                        {"very low logits in attention", depth_of_rows, with_other_products, 60}};
  stability.quotas = {{"huge", 0.05},        {"far apart", 0.05},    {"very negative", 0.05},
                      {"huge offset", 0.05}, {"masked front", 0.05}, {"enormous", 0.05}};
  return {row_sums, values, shift, stability};
}

}  // namespace attention_assignment
