// Objective scaling: logits are q·k/√d_k, their variance and the entropy keep their size, and
// entropy is −Σ w·ln w.
#include <algorithm>
#include <cmath>
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

// ---- scaling.logits -------------------------------------------------------------

/// A visible logit that the mask has filled in, or spoiled, says nothing about products and scale:
/// mask.future_logits judges it. NaN counts as spoiled only where a mask is on.
bool is_the_masks_business(const AttentionInputs& inputs, double logit) {
  return is_filled(logit) || (std::isnan(logit) && inputs.options.causal);
}

Judgement judge_logits(const Trusted& trusted, const Case& test_case,
                       Implementation& implementation) {
  Student student(implementation);
  const Called called = call_stage(student, attention_inputs_of(test_case), Needs::logits);
  if (!called.right_shapes) return blocked_by("shapes.results");
  const AttentionInputs& inputs = called.inputs;
  const Matrix& logits = called.own.logits;
  const ExpectedAttention expected = trusted.attention(inputs);
  std::int64_t judged = 0;
  bool varies = false;
  const auto wrong = first_refused(logits.rows, logits.columns, [&](auto i, auto j) {
    if (!inputs.visible(i, j) || is_the_masks_business(inputs, logits(i, j))) return true;
    ++judged;
    const double right = expected.result.logits(i, j);
    varies = varies || right != 0;
    return std::abs(logits(i, j) - right) <=
           logit_tolerance(inputs.d_k(), expected.magnitudes(i, j));
  });
  if (wrong) {
    const std::string what =
        "query " + std::to_string(wrong->row) + " times key " + std::to_string(wrong->column);
    return wrong_entry("logits", logits, expected.result.logits, *wrong,
                       inputs.options.scaled
                           ? "it is " + what + ", divided by √" + std::to_string(inputs.d_k())
                           : "it is " + what + ", undivided since scaled is off",
                       &called);
  }
  if (judged == 0) return blocked_by("mask.future_logits");
  return holds(varies, "all of these logits are zero");
}

/// Logits are products, whose rounding is known however large they are: larger ones than elsewhere
/// may come up while searching, but none that could be taken for a mask's.
bool admits_products(const Case& test_case) {
  const Matrix& Q = test_case.matrix("Q");
  const Matrix& K = test_case.matrix("K");
  const Matrix& V = test_case.matrix("V");
  return Q.rows >= 1 && Q.columns >= 1 && V.columns >= 1 && K.rows == Q.rows && V.rows == Q.rows &&
         K.columns == Q.columns && largest_product(Q, K) <= -kFilledByMask / 2 &&
         values_in_range(V);
}

Check logits_check(const Trusted& trusted) {
  Check check = check_on_attention_inputs("scaling.logits");
  check.admits = admits_products;
  check.searches = {{"large logits", reach_of_logits, with_other_products, 40}};
  check.prepare = [&trusted](const Case& drawn) {
    static_cast<void>(trusted.attention(attention_inputs_of(drawn)));
  };
  check.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    try {
      return judge_logits(trusted, test_case, implementation);
    } catch (const grader::CallFault&) {
      // Who overflows there and throws has got the softmax wrong, not the logits.
      if (admits_attention_inputs(test_case)) throw;
      return blocked_by("softmax.stability");
    }
  };
  return check;
}

// ---- The statistical checks -----------------------------------------------------
//
// Both look at the same inputs of unit variance, once with the scale and once without. A sample
// counts only where the right answer lies well inside the band, so that rounding can never move a
// right submission out of it.

struct Band {
  double low;
  double high;
  [[nodiscard]] bool holds(double number) const { return number >= low && number <= high; }
};

/// The same inputs with and without the scale.
struct ScaledAndNot {
  Called scaled;
  Called unscaled;
  [[nodiscard]] bool usable() const { return scaled.right_shapes && unscaled.right_shapes; }
};

ScaledAndNot call_both(Student& student, AttentionInputs inputs) {
  inputs.options.scaled = true;
  Called scaled = call_attention(student, inputs, Needs::logits);
  inputs.options.scaled = false;
  return {std::move(scaled), call_attention(student, inputs, Needs::logits)};
}

/// Every visible logit of the row is a plain finite number in both runs.
bool is_plain_row(const ScaledAndNot& both, std::int64_t row) {
  for (const Called* called : {&both.scaled, &both.unscaled}) {
    for (std::int64_t j = 0; j < called->inputs.n(); ++j) {
      if (!called->inputs.visible(row, j)) continue;
      const double logit = called->own.logits(row, j);
      if (!std::isfinite(logit) || is_filled(logit)) return false;
    }
  }
  return true;
}

RowVector row_of(const Matrix& matrix, std::int64_t row) {
  const auto first = matrix.entries.begin() + row * matrix.columns;
  return RowVector{{first, first + matrix.columns}};
}

std::vector<std::int64_t> plain_rows(const ScaledAndNot& both) {
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < both.scaled.inputs.n(); ++row) {
    if (is_plain_row(both, row)) rows.push_back(row);
  }
  return rows;
}

// ---- scaling.variance -----------------------------------------------------------

/// The entries whose logits are plain finite numbers in both runs, not filled in by a mask.
std::vector<Position> plain_entries(const ScaledAndNot& both) {
  const auto is_plain = [](double logit) { return std::isfinite(logit) && !is_filled(logit); };
  std::vector<Position> entries;
  for (std::int64_t i = 0; i < both.scaled.inputs.n(); ++i) {
    for (std::int64_t j = 0; j < both.scaled.inputs.n(); ++j) {
      if (is_plain(both.scaled.own.logits(i, j)) && is_plain(both.unscaled.own.logits(i, j))) {
        entries.push_back({i, j});
      }
    }
  }
  return entries;
}

/// Mean square over `entries`; inputs have mean zero.
double variance_of(const Matrix& logits, const std::vector<Position>& entries) {
  double sum = 0;
  for (const Position& at : entries) sum += logits(at.row, at.column) * logits(at.row, at.column);
  return sum / static_cast<double>(entries.size());
}

constexpr Band kVarianceOfReference{0.75, 1.3};
constexpr Band kVarianceOfStudent{0.7, 1.4};

Judgement judge_variance(const Trusted& trusted, const Case& test_case,
                         Implementation& implementation) {
  Student student(implementation);
  const ScaledAndNot both = call_both(student, attention_inputs_of(test_case));
  if (!both.usable() || both.scaled.cut || both.unscaled.cut) return blocked_by("shapes.results");
  // Even a mask that ignores its option leaves half of them.
  const std::vector<Position> entries = plain_entries(both);
  if (3 * entries.size() < both.scaled.own.logits.entries.size()) {
    return blocked_by("mask.future_logits");
  }
  for (const Called* called : {&both.scaled, &both.unscaled}) {
    const AttentionInputs& inputs = called->inputs;
    const double unit = inputs.options.scaled ? 1.0 : static_cast<double>(inputs.d_k());
    const double right = variance_of(trusted.attention(inputs).result.logits, entries) / unit;
    if (!kVarianceOfReference.holds(right)) return holds(false);
    const double own = variance_of(called->own.logits, entries) / unit;
    if (kVarianceOfStudent.holds(own)) continue;
    const std::string features = std::to_string(inputs.d_k());
    return violated(
        "Queries and keys have variance 1 and " + features + " features; your " +
            (inputs.options.scaled ? "scaled" : "unscaled") + " logits have variance " +
            text_of(std::round(own * unit * 1000) / 1000) + " where " +
            text_of(std::round(right * unit * 1000) / 1000) +
            " is right (dividing by √d_k keeps it near 1, without the scale it is near d_k).",
        {{"variance", own * unit}}, {{"variance", right * unit}}, std::nullopt);
  }
  return holds(true);
}

// ---- scaling.entropy ------------------------------------------------------------

constexpr Band kScaledOfReference{0.72, 0.94};
constexpr Band kScaledOfStudent{0.7, 0.95};
constexpr double kUnscaledOfReference = 0.5;
constexpr double kUnscaledOfStudent = 0.55;

/// Entropies of the softmax over the visible logits, over ln(number of visible keys), per row.
std::vector<double> relative_entropies(const Trusted& trusted, const AttentionInputs& inputs,
                                       const Matrix& weights,
                                       const std::vector<std::int64_t>& rows) {
  std::vector<double> entropies;
  for (const std::int64_t row : rows) {
    std::int64_t visible = 0;
    for (std::int64_t j = 0; j < inputs.n(); ++j) visible += inputs.visible(row, j) ? 1 : 0;
    if (visible < 2) continue;
    entropies.push_back(trusted.entropy(row_of(weights, row)) /
                        std::log(static_cast<double>(visible)));
  }
  return entropies;
}

double mean(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

std::string rounded_text(double number) { return text_of(std::round(number * 1000) / 1000); }

Judgement judge_entropy_of_scaling(const Trusted& trusted, const Case& test_case,
                                   Implementation& implementation) {
  Student student(implementation);
  const ScaledAndNot both = call_both(student, attention_inputs_of(test_case));
  if (!both.usable() || both.scaled.cut || both.unscaled.cut) return blocked_by("shapes.results");
  const std::vector<std::int64_t> rows = plain_rows(both);
  const auto entropies_of = [&](const Called& called) {
    const Matrix weights =
        trusted.weights_on_logits(called.inputs, called.own.logits, Keys::visible);
    return relative_entropies(trusted, called.inputs, weights, rows);
  };
  const auto right_entropies_of = [&](const Called& called) {
    const Matrix weights = trusted.attention(called.inputs).result.weights;
    return relative_entropies(trusted, called.inputs, weights, rows);
  };
  const std::vector<double> scaled = entropies_of(both.scaled);
  const std::vector<double> unscaled = entropies_of(both.unscaled);
  if (scaled.empty()) return blocked_by("mask.future_logits");
  for (std::size_t index = 0; index < scaled.size(); ++index) {
    if (scaled[index] >= unscaled[index] - kEntropyTolerance) continue;
    return violated("Scaling lowers the entropy of row " + std::to_string(rows[index]) + ", from " +
                        rounded_text(unscaled[index]) + " to " + rounded_text(scaled[index]) +
                        " of the largest possible; dividing logits by √d_k can only raise it.",
                    {{"entropy", scaled[index]}}, {}, std::nullopt);
  }
  const double right_scaled = mean(right_entropies_of(both.scaled));
  const double right_unscaled = mean(right_entropies_of(both.unscaled));
  if (!kScaledOfReference.holds(right_scaled) || right_unscaled > kUnscaledOfReference) {
    return holds(false);
  }
  const std::string features = std::to_string(both.scaled.inputs.d_k());
  if (!kScaledOfStudent.holds(mean(scaled))) {
    return violated("With " + features + " features of variance 1, scaled attention keeps " +
                        rounded_text(right_scaled) +
                        " of the largest possible entropy; yours has " +
                        rounded_text(mean(scaled)) + ".",
                    {{"entropy", mean(scaled)}}, {{"entropy", right_scaled}}, std::nullopt);
  }
  if (!(mean(unscaled) <= kUnscaledOfStudent)) {
    return violated("With " + features +
                        " features of variance 1 and the scale off, entropy falls to " +
                        rounded_text(right_unscaled) + " of the largest possible; yours has " +
                        rounded_text(mean(unscaled)) + ".",
                    {{"entropy", mean(unscaled)}}, {{"entropy", right_unscaled}}, std::nullopt);
  }
  return holds(true);
}

Check statistical_check(const Trusted& trusted, std::string id,
                        Judgement (*judge)(const Trusted&, const Case&, Implementation&)) {
  Check check;
  check.id = std::move(id);
  check.generator = "unit_variance";
  check.generate = draw_unit_variance;
  check.generate_when_blocked = draw_square_unit_variance;
  check.prepare = [&trusted](const Case& drawn) {
    AttentionInputs inputs = attention_inputs_of(drawn);
    for (const bool scaled : {true, false}) {
      inputs.options.scaled = scaled;
      static_cast<void>(trusted.attention(inputs));
    }
  };
  check.judge = [&trusted, judge](const Case& test_case, Implementation& implementation) {
    return judge(trusted, test_case, implementation);
  };
  check.quotas = {{"d_k = 16", 0.1}, {"d_k = 32", 0.1}, {"d_k = 64", 0.1}, {"d_k = 96", 0.1}};
  check.shrinks = false;
  check.share_of_cases = 0.08;
  return check;
}

// ---- entropy.value --------------------------------------------------------------

Case distribution_case(LabelledRow drawn, std::string name) {
  Case result;
  result.inputs = {{"weights", std::move(drawn.row), {"n"}, false}};
  result.label = std::move(drawn.label);
  result.name = std::move(name);
  return result;
}

/// Shrinking may leave rows that are no distribution; the formula stands all the same, but a
/// student may rely on weights being weights.
bool admits_distribution(const Case& test_case) {
  const RowVector& row = test_case.row("weights");
  double sum = 0;
  for (const double weight : row.entries) {
    if (!(weight >= 0 && weight <= 1)) return false;
    sum += weight;
  }
  return std::abs(sum - 1) <= 1e-12;
}

Judgement judge_entropy_value(const Trusted& trusted, const Case& test_case,
                              Implementation& implementation) {
  const RowVector& weights = test_case.row("weights");
  const double own = Student(implementation).entropy(weights);
  const double expected = trusted.entropy(weights);
  if (std::abs(own - expected) <= kEntropyTolerance) return holds(true);
  return violated("entropy is " + text_of(own) + ", expected " + text_of(expected) +
                      " nats (−Σ w·ln w, where 0·ln 0 counts as 0).",
                  {{"entropy", own}}, {{"entropy", expected}}, std::nullopt);
}

Check entropy_value_check(const Trusted& trusted) {
  Check check;
  check.id = "entropy.value";
  check.generate = [](grader::Random& random, const grader::Schedule& schedule) {
    return distribution_case(draw_distribution(random, schedule), "");
  };
  check.fixed_cases = {
      distribution_case({{{0.5, 0.5}}, "uniform"}, "two equal weights: ln 2"),
      distribution_case({{{1.0, 0.0, 0.0, 0.0}}, "one-hot"}, "all weight on one token: 0"),
      distribution_case({{{0.5, 0.25, 0.25, 0.0}}, "with zeros"}, "a row with a masked token"),
      distribution_case({{{1.0}}, "one-hot"}, "one token: 0"),
      distribution_case({{{1.0, 0x1p-1022}}, "many magnitudes"},
                        "the smallest normal number as weight")};
  check.admits = admits_distribution;
  check.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_entropy_value(trusted, test_case, implementation);
  };
  check.quotas = {
      {"uniform", 0.2}, {"one-hot", 0.2}, {"with zeros", 0.2}, {"many magnitudes", 0.2}};
  check.share_of_cases = 0.4;
  return check;
}

}  // namespace

std::vector<Check> scaling_checks(const Trusted& trusted) {
  return {logits_check(trusted),
          statistical_check(trusted, "scaling.entropy", judge_entropy_of_scaling),
          statistical_check(trusted, "scaling.variance", judge_variance),
          entropy_value_check(trusted)};
}

}  // namespace attention_assignment
