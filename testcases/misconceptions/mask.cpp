// Mistakes in hiding the future. The logits that come back are the ones the softmax was given,
// except where the title says otherwise.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using MaskStage = std::function<Matrix(const Problem&, Matrix)>;
using WeightsStage = std::function<Matrix(const AttentionModel&, const Problem&, const Matrix&)>;

Matrix leave_unmasked(const Problem& /*problem*/, Matrix scores) { return scores; }

/// Keeps the scores with `keep(i, j, n)` and replaces the others by `fill`.
template <typename Keep>
MaskStage keeping(Keep keep, double fill = -kInfinity) {
  return [keep, fill](const Problem& problem, Matrix scores) {
    if (!problem.options.causal) return scores;
    return with_entries(std::move(scores), [&](Index i, Index j, double score) {
      return keep(i, j, problem.n()) ? score : fill;
    });
  };
}

MaskStage filling_future_with(double fill) {
  return keeping([](Index i, Index j, Index) { return j <= i; }, fill);
}

Matrix add_minus_ten(const Problem& problem, Matrix scores) {
  return with_entries(std::move(scores), [&](Index i, Index j, double score) {
    return problem.visible(i, j) ? score : score - 10;
  });
}

Matrix add_zero_times_infinity(const Problem& problem, Matrix scores) {
  if (!problem.options.causal) return scores;
  return with_entries(std::move(scores), [&](Index i, Index j, double score) {
    const double mask = problem.visible(i, j) ? 1.0 : 0.0;
    return score + (1.0 - mask) * -kInfinity;
  });
}

Matrix replace_every_zero(const Problem& problem, Matrix scores) {
  if (!problem.options.causal) return scores;
  return with_entries(std::move(scores), [&](Index i, Index j, double score) {
    const double kept = problem.visible(i, j) ? score : 0.0;
    return kept == 0.0 ? -kInfinity : kept;
  });
}

/// Sets the weights of the future to zero.
Matrix cleared(const Problem& problem, Matrix weights) {
  return with_entries(std::move(weights), [&](Index i, Index j, double weight) {
    return problem.visible(i, j) ? weight : 0.0;
  });
}

Matrix rows_divided_by_their_sums(Matrix weights) {
  for (Index i = 0; i < weights.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < weights.columns; ++j) sum += weights(i, j);
    for (Index j = 0; j < weights.columns; ++j) weights(i, j) /= sum;
  }
  return weights;
}

Matrix clear_after_softmax(const AttentionModel& model, const Problem& problem,
                           const Matrix& logits) {
  return cleared(problem, softmax_of_rows(model, problem, logits));
}

Matrix clear_after_softmax_and_renormalise(const AttentionModel& model, const Problem& problem,
                                           const Matrix& logits) {
  return rows_divided_by_their_sums(clear_after_softmax(model, problem, logits));
}

/// Computes weights from unmasked scores but reports masked logits.
AttentionModel masking_only_what_it_reports(WeightsStage weights) {
  AttentionModel model;
  model.attention = [weights = std::move(weights)](const AttentionModel& self,
                                                   const Problem& problem) {
    const Matrix scores = self.scale(problem, self.product(problem));
    AttentionResult result;
    result.logits = mask_future(problem, scores);
    result.weights = weights(self, problem, scores);
    result.output = self.output(problem, result.weights);
    return result;
  };
  return model;
}

Matrix normalise_by_visible_sum(const AttentionModel& /*model*/, const Problem& problem,
                                const Matrix& logits) {
  Matrix weights = logits;
  for (Index i = 0; i < logits.rows; ++i) {
    const RowVector row = row_of(logits, i);
    const double maximum = *std::max_element(row.entries.begin(), row.entries.end());
    double sum = 0;
    for (Index j = 0; j < logits.columns; ++j) {
      weights(i, j) = std::exp(logits(i, j) - maximum);
      if (problem.visible(i, j)) sum += weights(i, j);
    }
    for (Index j = 0; j < logits.columns; ++j) weights(i, j) /= sum;
  }
  return weights;
}

Matrix shift_by_maximum_of_all(const AttentionModel& /*model*/, const Problem& problem,
                               const Matrix& scores) {
  Matrix weights = scores;
  for (Index i = 0; i < scores.rows; ++i) {
    const RowVector row = row_of(scores, i);
    const double maximum = *std::max_element(row.entries.begin(), row.entries.end());
    for (Index j = 0; j < scores.columns; ++j) {
      weights(i, j) = problem.visible(i, j) ? std::exp(scores(i, j) - maximum) : 0.0;
    }
  }
  return rows_divided_by_their_sums(std::move(weights));
}

Matrix strict_softmax_with_guard(const AttentionModel& model, const Problem& /*problem*/,
                                 const Matrix& logits) {
  Matrix weights(logits.rows, logits.columns);
  for (Index i = 0; i < logits.rows; ++i) {
    const RowVector row = row_of(logits, i);
    const bool nothing_visible = std::all_of(row.entries.begin(), row.entries.end(),
                                             [](double logit) { return logit == -kInfinity; });
    if (!nothing_visible) set_row(weights, i, model.softmax(row));
  }
  return weights;
}

Matrix sum_visible_values_only(const Problem& problem, const Matrix& weights) {
  return weighted_sum(problem, cleared(problem, weights));
}

/// Masks with -100 before the scores are scaled.
AttentionModel masking_before_scaling() {
  AttentionModel model;
  model.scale = [](const Problem& problem, Matrix products) {
    return divide_by_root_of_features(problem,
                                      filling_future_with(-100.0)(problem, std::move(products)));
  };
  model.mask = leave_unmasked;
  return model;
}

bool before(Index i, Index j, Index) { return j < i; }

}  // namespace

std::vector<Misconception> mask_misconceptions() {
  return {
      {"M01", "no causal mask", {kMask}, {.mask = leave_unmasked}},
      {"M02",
       "future weights cleared after the softmax, rows not renormalised",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = clear_after_softmax}},
      {"M03",
       "future weights cleared after the softmax, rows renormalised; masked logits returned",
       {kSoftmaxObjective},
       masking_only_what_it_reports(clear_after_softmax_and_renormalise)},
      {"M03b",
       "future weights cleared after the softmax, rows renormalised; unmasked logits returned",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = clear_after_softmax_and_renormalise}},
      {"M04", "the diagonal is masked too, with -inf", {kMask}, {.mask = keeping(before)}},
      {"M05", "the diagonal is masked too, with -1e9", {kMask}, {.mask = keeping(before, -1e9)}},
      {"M06",
       "the diagonal is masked too; row 0 is all zero",
       {kMask, kSoftmaxObjective},
       {.mask = keeping(before), .weights = strict_softmax_with_guard}},
      {"M07",
       "reversed triangle: the past is hidden",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j >= i; })}},
      {"M08",
       "off by one: the next token is visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j <= i + 1; })}},
      {"M09", "future logits set to 0", {kMask}, {.mask = filling_future_with(0.0)}},
      {"M10",
       "additive mask (1 - mask)·(-inf): 0·inf is NaN",
       {kMask},
       {.mask = add_zero_times_infinity}},
      {"M11", "future logits set to -1e9", {kMask}, {.mask = filling_future_with(-1e9)}},
      {"M12", "future logits set to -1e4", {kMask}, {.mask = filling_future_with(-1e4)}},
      {"M13", "10 subtracted from future logits", {kMask}, {.mask = add_minus_ten}},
      {"M14",
       "future logits set to numeric_limits::min(), which is tiny and positive",
       {kMask},
       {.mask = filling_future_with(std::numeric_limits<double>::min())}},
      {"M15", "sign slip: future logits set to +1e9", {kMask}, {.mask = filling_future_with(1e9)}},
      {"M16",
       "only the immediate next token is masked",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j != i + 1; })}},
      {"M17",
       "sliding window: only the last three tokens are visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return i - 3 < j && j <= i; })}},
      {"M18",
       "only the token itself is visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j == i; })}},
      {"M19",
       "numerator over all keys, denominator over the visible ones",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = normalise_by_visible_sum}},
      {"M20",
       "the row's maximum is taken over all keys, future ones included",
       {kSoftmaxObjective},
       masking_only_what_it_reports(shift_by_maximum_of_all)},
      {"M21",
       "only the sum over values skips the future; the weights are unmasked",
       {kMask, kValues},
       {.mask = leave_unmasked, .output = sum_visible_values_only}},
      {"M22",
       "every logit that equals 0 is replaced by -inf",
       {kMask},
       {.mask = replace_every_zero}},
      {"M23",
       "mask hard-coded for four tokens",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return i >= 4 || j <= i; })}},
      {"M24", "future set to -100 before scaling", {kMask}, masking_before_scaling()},
      {"M26", "mask constant 1e-9 instead of -1e9", {kMask}, {.mask = filling_future_with(1e-9)}},
      {"M27",
       "mask evaluated once per block of four queries",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j <= i / 4 * 4 + 3; })}},
      {"M28",
       "one mask row used for all queries",
       {kMask},
       {.mask = keeping([](Index, Index j, Index n) { return j <= n / 2; })}},
      {"M29",
       "future logits set to numeric_limits::lowest()",
       {kMask},
       {.mask = filling_future_with(std::numeric_limits<double>::lowest())}},
  };
}

}  // namespace attention_assignment::misconceptions
