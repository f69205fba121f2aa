// Everything a check may ask for that would solve the assignment.
//
// The check sources are handed to students, so they contain no attention: expected numbers come
// through this interface. In the grader the reference computes them (reference/trusted.hpp). At
// home they are stored numbers that were recorded when the package was made, which answer only for
// the inputs they were recorded for. Hence two groups of questions:
//
//   from inputs alone      recorded as they are, keyed by all arguments bit for bit
//   from what the student  the reference answers for any own logits or weights; stored numbers
//   returned               answer when the own logits (weights) agree with the expected ones within
//                          the tolerance of design, and throw NotStored when they do not
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "grader/contract/value.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

/// Thrown by stored numbers for a question that was not recorded. The case is then not judged;
/// `blocked_by` names the check whose failure is the reason ("scaling.logits": the own logits are
/// not the expected ones, so nothing is known about them), or is empty when the inputs are unknown.
class NotStored : public std::runtime_error {
 public:
  NotStored(const std::string& what, std::string blocked_by)
      : std::runtime_error(what), blocked_by_(std::move(blocked_by)) {}
  [[nodiscard]] const std::string& blocked_by() const { return blocked_by_; }

 private:
  std::string blocked_by_;
};

/// The right answer for one call of attention(), rounded to double at the very end.
struct ExpectedAttention {
  AttentionResult result;  ///< masked logits are −∞, masked weights 0
  /// n × n: the scale in force times the sum of |Q_ic|·|K_jc|, for every pair, visible or not. What
  /// the rounding errors of a logit are measured by (testcases/checks/tolerance.hpp).
  grader::Matrix magnitudes;
};

/// The keys over which a softmax of own logits runs.
enum class Keys : std::uint8_t {
  as_returned,  ///< the row of own logits as it is
  visible,      ///< the own logits of the visible keys only; the others get weight 0
};

class Trusted {
 public:
  virtual ~Trusted() = default;
  Trusted() = default;
  Trusted(const Trusted&) = delete;
  Trusted& operator=(const Trusted&) = delete;

  // ---- from inputs alone ----------------------------------------------------------------------

  [[nodiscard]] virtual ShapeLedger shape_ledger(std::int64_t n, std::int64_t d_k,
                                                 std::int64_t d_v) const = 0;

  /// softmax(Q·Kᵀ·scale + mask)·V with all stages and the magnitudes.
  [[nodiscard]] virtual ExpectedAttention attention(const AttentionInputs& inputs) const = 0;

  /// The softmax of a row with at least one finite logit and no NaN or +∞.
  [[nodiscard]] virtual grader::RowVector softmax(const grader::RowVector& logits) const = 0;

  /// −Σ w·ln w in nats.
  [[nodiscard]] virtual double entropy(const grader::RowVector& weights) const = 0;

  /// X·W_q, X·W_k, X·W_v with the given options, ready for attention().
  [[nodiscard]] virtual AttentionInputs project(const grader::Matrix& X,
                                                const ProjectionMatrices& projections,
                                                const Options& options) const = 0;

  // ---- from what the student returned -----------------------------------------------------------

  /// The weights that belong to the student's own logits (n × n), row by row. A row without a
  /// finite logit among its keys, or with NaN or +∞ among them, comes back as NaN throughout.
  [[nodiscard]] virtual grader::Matrix weights_on_logits(const AttentionInputs& inputs,
                                                         const grader::Matrix& own_logits,
                                                         Keys keys) const = 0;

  /// The output that belongs to the student's own weights (n × n): own weights times V. Rows with
  /// weights that are not finite come back as NaN.
  [[nodiscard]] virtual grader::Matrix output_on_weights(
      const AttentionInputs& inputs, const grader::Matrix& own_weights) const = 0;
};

}  // namespace attention_assignment
