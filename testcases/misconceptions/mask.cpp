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

MaskStage subtracting_from_future(double amount) {
  return [amount](const Problem& problem, Matrix scores) {
    return with_entries(std::move(scores), [&](Index i, Index j, double score) {
      return problem.visible(i, j) ? score : score - amount;
    });
  };
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

Matrix unmasked_scores(const Matrix& scores, const Matrix& /*logits*/) { return scores; }

/// The weights come from unmasked scores, while masked logits are returned.
AttentionModel masking_only_what_it_reports(WeightsStage weights) {
  AttentionModel model;
  model.softmax_input = unmasked_scores;
  model.weights = std::move(weights);
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
    if (!nothing_visible) set_row(weights, i, softmax_of(model, row));
  }
  return weights;
}

Matrix sum_visible_values_only(const Problem& problem, const Matrix& weights) {
  return weighted_sum(problem, cleared(problem, weights));
}

/// Masks with `fill` before the scores are scaled.
AttentionModel masking_before_scaling(double fill) {
  AttentionModel model;
  model.scale = [fill](const Problem& problem, Matrix products) {
    return divide_by_root_of_features(problem,
                                      filling_future_with(fill)(problem, std::move(products)));
  };
  model.mask = leave_unmasked;
  return model;
}

bool before(Index i, Index j, Index) { return j < i; }

bool up_to_itself(Index i, Index j, Index) { return j <= i; }

template <Index kSize>
bool window(Index i, Index j, Index) {
  return i - kSize < j && j <= i;
}

Matrix softmax_of_visible(const AttentionModel& model, const Problem& problem,
                          const Matrix& logits) {
  return softmax_of_rows(model, problem, mask_future(problem, logits));
}

Matrix softmax_of_scaled_and_visible(const AttentionModel& model, const Problem& problem,
                                     const Matrix& products) {
  return softmax_of_visible(model, problem, divide_by_root_of_features(problem, products));
}

// Numbers that people write for minus infinity.
const std::vector<double> kFarBelow = {
    -1e9,          -1e5,
    -1e6,          -1e7,
    -1e8,          -1e10,
    -1e12,         -1e15,
    -1e18,         -1e20,
    -1e30,         -1e37,
    -1e38,         -1e100,
    -1e300,        -1e308,
    -99999.0,      -999999.0,
    -999999999.0,  -2147483647.0,
    -2147483648.0, static_cast<double>(std::numeric_limits<float>::lowest())};
const std::vector<double> kWithinReach = {-50, -100, -500, -999, -1000, -5000, -9999, -10'000};

template <typename Keep>
std::vector<AttentionModel> masked_with_each(Keep keep, const std::vector<double>& fills) {
  std::vector<AttentionModel> models;
  for (const double fill : fills) models.push_back({.mask = keeping(keep, fill)});
  return models;
}

std::vector<AttentionModel> subtracting_each(const std::vector<double>& amounts) {
  std::vector<AttentionModel> models;
  for (const double amount : amounts) models.push_back({.mask = subtracting_from_future(amount)});
  return models;
}

/// Filled in, subtracted from the future, or filled in before scaling.
std::vector<AttentionModel> finite_masks(const std::vector<double>& fills) {
  std::vector<AttentionModel> models = masked_with_each(up_to_itself, fills);
  for (const double fill : fills) {
    models.push_back({.mask = subtracting_from_future(-fill)});
    models.push_back(masking_before_scaling(fill));
  }
  return models;
}

}  // namespace

std::vector<Misconception> mask_misconceptions() {
  return {
      {"M01",
       "no causal mask",
       {kMask},
       {.mask = leave_unmasked},
       "Every token sees the tokens after it. For causal attention set logit j > i to −∞ before "
       "the softmax."},
      {"M02",
       "future weights cleared after the softmax, rows not renormalised",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = clear_after_softmax},
       "The softmax ran over all tokens and the future weights were then set to zero, so the "
       "visible ones no longer sum to one. Set the logits of future tokens to −∞ before the "
       "softmax, and the visible ones renormalise by themselves."},
      {"M03",
       "future weights cleared after the softmax, rows renormalised; masked logits returned",
       {kSoftmaxObjective},
       masking_only_what_it_reports(clear_after_softmax_and_renormalise),
       "Clearing future weights after the softmax and dividing by the new sum is the same on "
       "paper. But a future logit that is far larger than the visible ones makes all of these "
       "underflow, and the row becomes 0/0. Mask before the softmax."},
      {"M03b",
       "future weights cleared after the softmax, rows renormalised; unmasked logits returned",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = clear_after_softmax_and_renormalise},
       "Clearing future weights after the softmax and dividing by the new sum is the same on "
       "paper, but breaks when a future logit is far larger than the visible ones, and the logits "
       "you return still show the future. Set them to −∞ before the softmax."},
      {"M06",
       "the diagonal is masked too; row 0 is all zero",
       {kMask, kSoftmaxObjective},
       {.mask = keeping(before), .weights = strict_softmax_with_guard},
       "The diagonal is hidden as well, and the first row, which then has no visible token, was "
       "set to zero. Mask j > i, not j ≥ i: each token sees itself, so no row is empty."},
      {"M04",
       "the diagonal is masked too, with -inf",
       {kMask},
       {.mask = keeping(before)},
       "The diagonal is hidden as well, so a token cannot attend to itself and the first one has "
       "nothing to attend to. Mask j > i, not j ≥ i."},
      {"M05",
       "the diagonal is masked too, with -1e9",
       {kMask},
       {.mask = keeping(before, -1e9)},
       "The diagonal is hidden as well: a token may attend to itself. Mask j > i, not j ≥ i; and "
       "fill with −∞, so that the first row cannot become an average over tokens it must not see.",
       masked_with_each(
           before, {-1e4, -1e5, -1e6, -1e10, -1e12, -1e30, std::numeric_limits<double>::lowest()})},
      {"M07",
       "reversed triangle: the past is hidden",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j >= i; })},
       "The triangle is the wrong way round: tokens see the future and not their past. Key j is "
       "visible to query i when j ≤ i."},
      {"M08",
       "off by one: the next token is visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j <= i + 1; })},
       "The next token is visible: the mask starts one column too late. Hide every j > i, not j > "
       "i + 1."},
      {"M09",
       "future logits set to 0",
       {kMask},
       {.mask = filling_future_with(0.0)},
       "A logit of 0 is not nothing: its exponential is 1. A hidden token needs the logit −∞, "
       "whose exponential is 0."},
      {"M10",
       "additive mask (1 - mask)·(-inf): 0·inf is NaN",
       {kMask},
       {.mask = add_zero_times_infinity},
       "0·(−∞) is NaN, so the visible entries are lost. Do not multiply by infinity: choose "
       "between the logit and −∞ with a condition."},
      {"M11",
       "future logits set to a large finite number such as -1e9",
       {kMask},
       {.mask = filling_future_with(-1e9)},
       "A large negative number hides the future only while the visible logits are far above it. "
       "The contract asks for −∞ itself: −std::numeric_limits<double>::infinity().",
       finite_masks(kFarBelow)},
      {"M12",
       "future logits set to a finite number within reach such as -1e4",
       {kMask},
       {.mask = filling_future_with(-1e4)},
       "−10000 is within the reach of real logits: when the visible ones are as low, the future "
       "shows through. Use −std::numeric_limits<double>::infinity().",
       finite_masks(kWithinReach)},
      {"M13",
       "10 subtracted from future logits",
       {kMask},
       {.mask = subtracting_from_future(10)},
       "Subtracting a constant only lowers future weights; e⁻¹⁰ of the future still leaks into the "
       "past. The logit of a hidden token is −∞.",
       subtracting_each({1, 2, 5, 20, 30, 50, 100})},
      {"M14",
       "future logits set to numeric_limits::min(), which is tiny and positive",
       {kMask},
       {.mask = filling_future_with(std::numeric_limits<double>::min())},
       "std::numeric_limits<double>::min() is the smallest positive number, practically 0. What "
       "you want is −std::numeric_limits<double>::infinity()."},
      {"M15",
       "sign slip: future logits set to +1e9",
       {kMask},
       {.mask = filling_future_with(1e9)},
       "The sign is wrong: a huge positive logit gives the future all the weight. A hidden token's "
       "logit is −∞.",
       masked_with_each(up_to_itself, {1e4, 1e5, 1e6, 1e10, 1e30,
                                       std::numeric_limits<double>::max(), kInfinity})},
      {"M16",
       "only the immediate next token is masked",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j != i + 1; })},
       "Only the very next token is hidden; those after it are still visible. Mask all j > i."},
      {"M17",
       "sliding window: only the last three tokens are visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return i - 3 < j && j <= i; })},
       "Old tokens are hidden too, as in a sliding window. A token sees itself and everything "
       "before it: j ≤ i.",
       {{.mask = keeping(window<2>)}, {.mask = keeping(window<4>)}, {.mask = keeping(window<5>)}}},
      {"M18",
       "only the token itself is visible",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j == i; })},
       "Everything but the token itself is hidden, so that the output is V. A token sees itself "
       "and everything before it: j ≤ i."},
      {"M19",
       "numerator over all keys, denominator over the visible ones",
       {kMask, kSoftmaxObjective},
       {.mask = leave_unmasked, .weights = normalise_by_visible_sum},
       "The sum runs over the visible tokens, but the weights of the hidden ones are still there, "
       "so that a row adds up to more than one. With logits of −∞ for the future both come right."},
      {"M20",
       "the row's maximum is taken over all keys, future ones included",
       {kSoftmaxObjective},
       masking_only_what_it_reports(shift_by_maximum_of_all),
       "The maximum that is subtracted comes from all tokens, also hidden ones. When a future "
       "logit towers over the visible ones, all visible exponentials underflow to 0/0. Take the "
       "maximum after masking."},
      {"M21",
       "only the sum over values skips the future; the weights are unmasked",
       {kMask, kValues},
       {.mask = leave_unmasked, .output = sum_visible_values_only},
       "The sum over values skips the future, but the softmax did not: the weights of the past are "
       "too small and those returned still show the future. Mask the logits before the softmax."},
      {"M22",
       "every logit that equals 0 is replaced by -inf",
       {kMask},
       {.mask = replace_every_zero},
       "Zeros were taken for masked entries, but a logit can be 0 by itself. Decide by position, j "
       "> i, not by value."},
      {"M23",
       "mask hard-coded for four tokens",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return i >= 4 || j <= i; })},
       "The mask was built for the four tokens of the example; later rows see the future. Build it "
       "for n = Q.rows().",
       {{.mask = keeping([](Index i, Index j, Index) { return i >= 4 || j >= 4 || j <= i; })}}},
      {"M24",
       "future set to -100 before scaling",
       {kMask},
       masking_before_scaling(-100),
       "The mask is added before the scale, which shrinks it as well, and it is finite: for many "
       "features the future leaks. Scale first, then set future logits to −∞.",
       {masking_before_scaling(-10), masking_before_scaling(-50), masking_before_scaling(-1000)}},
      {"M26",
       "mask constant 1e-9 instead of -1e9",
       {kMask},
       {.mask = filling_future_with(1e-9)},
       "1e-9 is next to zero, so its exponential is 1: the future keeps its weight. You meant a "
       "large negative number; right is −∞.",
       masked_with_each(up_to_itself,
                        {-1e-9, 1e-10, -1e-10, 1e-12, -1e-12, 1e-6, -1e-6, 1e-5, -1e-5})},
      {"M27",
       "mask evaluated once per block of four queries",
       {kMask},
       {.mask = keeping([](Index i, Index j, Index) { return j <= i / 4 * 4 + 3; })},
       "The mask is made for a block of queries and not for each of them, so that the first ones "
       "of a block see the future. Compare j with i itself."},
      {"M28",
       "one mask row used for all queries",
       {kMask},
       {.mask = keeping([](Index, Index j, Index n) { return j <= n / 2; })},
       "One row of the mask serves all queries. Each query has its own: row i hides j > i.",
       {{.mask = keeping([](Index, Index j, Index) { return j == 0; })}}},
      {"M29",
       "future logits set to numeric_limits::lowest()",
       {kMask},
       {.mask = filling_future_with(std::numeric_limits<double>::lowest())},
       "lowest() behaves like −∞ here, but the contract asks for −∞ itself, so that masked logits "
       "can be recognised: −std::numeric_limits<double>::infinity()."},
      {"M30",
       "the logits are returned unmasked; the weights are right",
       {kMask},
       {.mask = leave_unmasked, .weights = softmax_of_visible},
       "The weights are right, but the logits you return are those from before the mask. The "
       "contract asks for the scaled and masked ones: −∞ for future tokens."},
      {"M31",
       "the plain products are returned as logits; the weights are right",
       {kScaling, kMask, kSoftmaxObjective},
       {.scale = leave_unmasked, .mask = leave_unmasked, .weights = softmax_of_scaled_and_visible},
       "The weights are right, but the logits you return are QKᵀ itself. The contract asks for "
       "what the softmax is given: divided by √d_k, and −∞ for future tokens."},
  };
}

}  // namespace attention_assignment::misconceptions
