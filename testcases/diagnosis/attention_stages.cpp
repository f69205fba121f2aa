#include "testcases/diagnosis/attention_stages.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <numeric>
#include <utility>

#include "testcases/checks/judging.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/domain.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using misconceptions::AttentionModel;

/// 2^-24 / 2^-53, less the margin that the bound leaves in double precision.
constexpr double kSingleOverDouble = 0x1p29 / 16;
/// Rows whose error may be so large cannot tell single precision from a mistake.
constexpr double kLargestSingleError = 1e-2;

bool has_size(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  return matrix.rows == rows && matrix.columns == columns;
}

double longest_row(const Matrix& matrix) {
  double longest = 0;
  for (std::int64_t i = 0; i < matrix.rows; ++i) longest = std::max(longest, row_norm(matrix, i));
  return longest;
}

double largest_entry(const Matrix& matrix) {
  double largest = 0;
  for (const double entry : matrix.entries) {
    if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
  }
  return largest;
}

bool is_all_masked(const Matrix& logits, std::int64_t row) {
  for (std::int64_t j = 0; j < logits.columns; ++j) {
    if (!(std::isinf(logits(row, j)) && logits(row, j) < 0)) return false;
  }
  return true;
}

/// One weight is 1, or all but 1.
bool is_one_hot(const Matrix& weights, std::int64_t row) {
  for (std::int64_t j = 0; j < weights.columns; ++j) {
    if (weights(row, j) >= 1 - kUnitRoundoff) return true;
  }
  return false;
}

const AttentionModel& correct() {
  static const AttentionModel model;
  return model;
}

/// Compares answers with what is predicted, entry by entry.
class Comparison {
 public:
  Comparison(Rounding rounding, Deviations* deviations)
      : rounding_(rounding), deviations_(deviations) {}

  /// `tolerance` is that of double precision for moderate numbers; what a mistake makes may be far
  /// larger, and is rounded all the same.
  bool same(double own, double predicted, double tolerance) {
    tolerance += 4 * kUnitRoundoff * std::abs(predicted);
    if (same_answer(own, predicted, tolerance)) return true;
    if (rounding_ != Rounding::single_precision) return false;
    if (!same_answer(own, predicted, tolerance * kSingleOverDouble)) return false;
    if (deviations_ != nullptr) ++(own > predicted ? deviations_->above : deviations_->below);
    return true;
  }

 private:
  Rounding rounding_;
  Deviations* deviations_;
};

}  // namespace

AttentionStages::AttentionStages(std::vector<ObservedAttention> calls) {
  for (ObservedAttention& call : calls) {
    if (call.own) returned_.push_back(calls_.size());
    calls_.push_back(prepared(std::move(call)));
  }
}

AttentionStages::Prepared AttentionStages::prepared(ObservedAttention call) {
  Prepared all;
  const AttentionInputs& inputs = call.inputs;
  const std::int64_t n = inputs.n();
  // Any two rows of queries and keys, and their differences, under any usual scale.
  const double reach = longest_row(inputs.Q) + longest_row(inputs.K);
  all.size = reach * reach * std::sqrt(static_cast<double>(inputs.d_k()));
  if (!call.own) {
    all.call = std::move(call);
    return all;
  }
  const bool has_logits = has_size(call.own->logits, n, n);
  const bool has_weights = has_size(call.own->weights, n, n);
  all.scores =
      misconceptions::divide_by_root_of_features(inputs, misconceptions::dot_products(inputs));
  all.logits = has_logits ? call.own->logits : misconceptions::mask_future(inputs, all.scores);
  if (has_logits && call.own_scores) all.scores = *call.own_scores;
  all.right_weights = misconceptions::softmax_of_rows(correct(), inputs, all.logits);
  all.weights = has_weights ? call.own->weights : all.right_weights;
  for (std::int64_t i = 0; i < n; ++i) {
    const double magnitude = row_norm(inputs.Q, i) * longest_row(inputs.K);
    all.relative_errors.push_back(own_relative_error(inputs, all.logits, i, magnitude));
    all.is_all_masked.push_back(is_all_masked(all.logits, i));
    all.has_usable_logits.push_back(is_usable_logits_row(all.logits, i) &&
                                    all.relative_errors.back() <= kLargestRelativeError);
    all.has_usable_weights.push_back(is_finite_row(all.weights, i) &&
                                     all.relative_errors.back() <= kLargestRelativeError);
  }
  all.call = std::move(call);
  return all;
}

bool AttentionStages::returns_alike(const AttentionModel& model, std::size_t index) const {
  const ObservedAttention& call = calls_[index].call;
  try {
    static_cast<void>(model.attention(model, call.inputs));
  } catch (const std::exception&) {
    return !call.own;
  }
  return call.own.has_value();
}

bool AttentionStages::same_logits(const AttentionModel& model, std::size_t index, Rounding rounding,
                                  Deviations* deviations) const {
  const Prepared& prepared = calls_[index];
  const AttentionInputs& inputs = prepared.call.inputs;
  const Matrix& own = prepared.call.own->logits;
  const AttentionInputs seen = misconceptions::seen_by(model, inputs);
  const Matrix predicted =
      model.reported_logits(model.mask(seen, model.scale(seen, model.product(seen))));
  if (!has_size(own, predicted.rows, predicted.columns)) return false;
  const double tolerance =
      logit_tolerance(std::max(inputs.d_k(), std::max(inputs.d_v(), inputs.n())), prepared.size);
  Comparison comparison(rounding, deviations);
  for (std::size_t e = 0; e < own.entries.size(); ++e) {
    if (!comparison.same(own.entries[e], predicted.entries[e], tolerance)) return false;
  }
  return true;
}

bool AttentionStages::same_weights(const AttentionModel& model, std::size_t index,
                                   Rounding rounding, Deviations* deviations) const {
  const Prepared& prepared = calls_[index];
  const Matrix& own = prepared.call.own->weights;
  const AttentionInputs seen = misconceptions::seen_by(model, prepared.call.inputs);
  const Matrix predicted = model.reported_weights(
      model.weights(model, seen, model.softmax_input(prepared.scores, prepared.logits)));
  if (!has_size(own, predicted.rows, predicted.columns)) return false;
  const std::int64_t n = prepared.call.inputs.n();
  const bool by_row = has_size(predicted, n, n);
  Comparison comparison(rounding, deviations);
  const auto same_row = [&](const Matrix& answer, std::int64_t i, double error) {
    double largest = 0;
    for (std::int64_t j = 0; j < answer.columns; ++j) {
      largest = std::max(largest, std::abs(answer(i, j)));
    }
    for (std::int64_t j = 0; j < answer.columns; ++j) {
      // Where the steps of a mistake are not known, small weights may come from large terms.
      const double size = rounding == Rounding::exact ? answer(i, j) : largest;
      if (!comparison.same(own(i, j), answer(i, j), 2 * weight_tolerance(error, size)))
        return false;
    }
    return true;
  };
  for (std::int64_t i = 0; i < predicted.rows; ++i) {
    const auto row = static_cast<std::size_t>(by_row ? i : n - 1);
    const double error = prepared.relative_errors[row];
    if (!prepared.has_usable_logits[row]) {
      // A mistake that leaves numbers where all is masked must leave those of the submission.
      const bool leaves_numbers =
          rounding != Rounding::exact && prepared.is_all_masked[row] && is_finite_row(predicted, i);
      if (leaves_numbers && !same_row(predicted, i, error)) return false;
      continue;
    }
    if (rounding == Rounding::single_precision && error * kSingleOverDouble > kLargestSingleError) {
      continue;
    }
    if (is_finite_row(predicted, i)) {
      if (!same_row(predicted, i, error)) return false;
    } else if (by_row && is_finite_row(prepared.right_weights, i)) {
      // The mistake overflows or underflows here. What is left of the row depends on the exp()
      // that was used; that it is wrong does not, unless one key has all the weight: then what is
      // left of that key, divided by itself, may come out right.
      if (!is_one_hot(prepared.right_weights, i) && same_row(prepared.right_weights, i, error)) {
        return false;
      }
    } else if (is_finite_row(own, i)) {
      return false;
    }
  }
  return true;
}

bool AttentionStages::same_output(const AttentionModel& model, std::size_t index, Rounding rounding,
                                  Deviations* deviations) const {
  const Prepared& prepared = calls_[index];
  const AttentionInputs& inputs = prepared.call.inputs;
  const Matrix& own = prepared.call.own->output;
  const AttentionInputs seen = misconceptions::seen_by(model, inputs);
  const Matrix predicted = model.output(seen, prepared.weights);
  if (!has_size(own, predicted.rows, predicted.columns)) return false;
  const std::int64_t n = inputs.n();
  const bool is_exact = rounding == Rounding::exact;
  const double largest_operand =
      std::max({largest_entry(inputs.V), largest_entry(inputs.K), largest_entry(inputs.Q)});
  const bool all_usable = std::ranges::all_of(prepared.has_usable_weights, std::identity{});
  double largest_error = 0;
  for (const double error : prepared.relative_errors)
    largest_error = std::max(largest_error, error);
  Comparison comparison(rounding, deviations);
  for (std::int64_t i = 0; i < predicted.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool usable = i < n ? prepared.has_usable_weights[row] : all_usable;
    if (!usable) continue;
    for (std::int64_t c = 0; c < predicted.columns; ++c) {
      double weight = 0;
      for (std::int64_t j = 0; j < n && i < n; ++j) weight += std::abs(prepared.weights(i, j));
      double error = i < n ? prepared.relative_errors[row] : largest_error;
      double largest = largest_operand;
      if (is_exact) {
        largest = 0;
        for (std::int64_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(inputs.V(j, c)));
      } else {
        weight = static_cast<double>(n) * std::max(1.0, largest_entry(prepared.weights));
        error = largest_error;
      }
      if (rounding == Rounding::single_precision &&
          error * kSingleOverDouble > kLargestSingleError) {
        continue;
      }
      const double tolerance =
          output_tolerance(2 * error, weight, largest, static_cast<double>(n) * largest, n);
      if (!comparison.same(own(i, c), predicted(i, c), tolerance)) return false;
    }
  }
  return true;
}

}  // namespace attention_assignment
