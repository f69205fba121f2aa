// What the checks have in common: calling attention, comparing matrices entry by entry, and
// building judgements with one plain sentence.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/engine/check.hpp"
#include "testcases/checks/attention_types.hpp"
#include "testcases/checks/student.hpp"

namespace attention_assignment {

// ---- Judgements -----------------------------------------------------------------

/// Holds here. Without a witness the case could not have shown a mistake; `otherwise` says why.
[[nodiscard]] grader::Judgement holds(bool witnessed, std::string_view otherwise = "");

/// Not judged because the stage that check `owner` judges is unusable here.
[[nodiscard]] grader::Judgement blocked_by(std::string_view owner);

/// Shortest text that reads back as `number`; "NaN", "∞", "−∞".
[[nodiscard]] std::string text_of(double number);
/// "4 × 2"
[[nodiscard]] std::string size_text(std::int64_t rows, std::int64_t columns);
/// "logits(2, 1)"
[[nodiscard]] std::string entry_text(std::string_view matrix, std::int64_t row,
                                     std::int64_t column);

// ---- Checks ---------------------------------------------------------------------

/// A check whose cases are the random inputs of attention(), the lesson's four tokens first; the
/// judge is still to be set. All checks made so see the same cases and share the calls.
[[nodiscard]] grader::Check check_on_attention_inputs(std::string id);

// ---- Calling --------------------------------------------------------------------

/// One call of attention() whose result may be judged.
struct Called {
  AttentionInputs inputs;  ///< what was asked for in the end
  AttentionResult own;
  bool right_shapes = false;  ///< those of the matrices that were needed
  bool cut = false;           ///< inputs were cut to n = d_k = d_v after a shape failure
  bool unmasked = false;      ///< causal was turned off after the mask left nothing to judge
};

/// The matrices of a result that a check looks at: a wrong output keeps nobody from judging logits.
enum class Needs : std::uint8_t { logits, weights, logits_and_weights, everything };

[[nodiscard]] bool has_right_shapes(const AttentionResult& own, const AttentionInputs& inputs,
                                    Needs needs = Needs::everything);

/// Calls attention(). When needed sizes come out wrong, or the call throws because sizes do not
/// fit, the inputs are cut to the largest n = d_k = d_v within and the call is made once more, so
/// that a slip between sizes costs the shapes alone. Throws CallFault.
[[nodiscard]] Called call_attention(Student& student, const AttentionInputs& inputs,
                                    Needs needs = Needs::everything);

/// The same for checks that judge another stage than the mask. When the mask leaves no usable row
/// of logits (0·inf makes all of them NaN, say), the call is made once more without it, so that the
/// slip costs the mask alone.
[[nodiscard]] Called call_stage(Student& student, const AttentionInputs& inputs,
                                Needs needs = Needs::everything);

/// The cut itself; the same object when the sizes are equal already.
[[nodiscard]] AttentionInputs square_part(const AttentionInputs& inputs);

/// True when an exception's text speaks of sizes that do not fit (Eigen's assertions do).
[[nodiscard]] bool complains_about_sizes(const grader::Outcome& outcome);

// ---- Usable rows ----------------------------------------------------------------

/// In the domain no logit gets down here by a mistake of scale: it was filled in by a mask.
inline constexpr double kFilledByMask = -5000;
[[nodiscard]] inline bool is_filled(double logit) { return logit <= kFilledByMask; }

/// No NaN, no +∞, and at least one finite logit.
[[nodiscard]] bool is_usable_logits_row(const grader::Matrix& logits, std::int64_t row);
/// All entries finite.
[[nodiscard]] bool is_finite_row(const grader::Matrix& matrix, std::int64_t row);

/// The relative error to allow in a softmax of own logits: by the magnitudes of the inputs
/// (`magnitude`), or of the own logits where a wrong scale makes those larger.
[[nodiscard]] double own_relative_error(const AttentionInputs& inputs,
                                        const grader::Matrix& own_logits, std::int64_t row,
                                        double magnitude);

/// Largest magnitude among the visible keys of `row`.
[[nodiscard]] double largest_visible(const AttentionInputs& inputs,
                                     const grader::Matrix& magnitudes, std::int64_t row);

// ---- Comparing ------------------------------------------------------------------

/// Calls accept(row, column) for the entries of a rows × columns matrix in reading order; the first
/// one it refuses, or nothing.
struct Position {
  std::int64_t row = 0;
  std::int64_t column = 0;
};
[[nodiscard]] std::optional<Position> first_refused(
    std::int64_t rows, std::int64_t columns,
    const std::function<bool(std::int64_t, std::int64_t)>& accept);

/// Equal within `tolerance`; equal infinities and NaN against NaN count as equal. For the
/// submission against itself.
[[nodiscard]] bool same_answer(double left, double right, double tolerance);

/// Largest |V_jc| of column `column` over keys for which counts(j), and the sum over all keys.
struct ValueColumn {
  double largest = 0;
  double sum = 0;
};
// A template, because it runs for every entry of every output: 20 % of the grading stage otherwise.
template <typename Counts>
[[nodiscard]] ValueColumn value_column(const grader::Matrix& V, std::int64_t column,
                                       const Counts& counts) {
  ValueColumn result;
  for (std::int64_t j = 0; j < V.rows; ++j) {
    const double size = std::abs(V(j, column));
    result.sum += size;
    if (counts(j)) result.largest = std::max(result.largest, size);
  }
  return result;
}

/// A violation at one entry: "logits(2, 1) is 3.5 where 1.5 is right; why".
[[nodiscard]] grader::Judgement wrong_entry(std::string_view name, const grader::Matrix& own,
                                            const grader::Matrix& expected, Position position,
                                            std::string_view why, const Called* called = nullptr);

/// A violation in free words.
[[nodiscard]] grader::Judgement violated(std::string message, std::vector<grader::Field> returned,
                                         std::vector<grader::Field> expected,
                                         std::optional<grader::Difference> difference);

/// A row as a matrix of one row, for reports.
[[nodiscard]] grader::Matrix as_matrix(const grader::RowVector& row);

}  // namespace attention_assignment
