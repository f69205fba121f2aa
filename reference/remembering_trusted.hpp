// Trusted numbers that are computed once: several checks ask about the same inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "testcases/checks/trusted.hpp"

namespace reference {

/// Passes every question on, and remembers the answers of attention(), the dearest of them, by all
/// bits of the inputs. When they take more than `byte_limit` all are forgotten. For one thread.
class RememberingTrusted final : public attention_assignment::Trusted {
 public:
  explicit RememberingTrusted(const attention_assignment::Trusted& trusted,
                              std::size_t byte_limit = std::size_t{16} << 20)
      : trusted_(trusted), byte_limit_(byte_limit) {}

  [[nodiscard]] attention_assignment::ShapeLedger shape_ledger(std::int64_t n, std::int64_t d_k,
                                                               std::int64_t d_v) const override;
  [[nodiscard]] attention_assignment::ExpectedAttention attention(
      const attention_assignment::AttentionInputs& inputs) const override;
  [[nodiscard]] grader::RowVector softmax(const grader::RowVector& logits) const override;
  [[nodiscard]] double entropy(const grader::RowVector& weights) const override;
  [[nodiscard]] attention_assignment::AttentionInputs project(
      const grader::Matrix& X, const attention_assignment::ProjectionMatrices& projections,
      const attention_assignment::Options& options) const override;
  [[nodiscard]] grader::Matrix weights_on_logits(
      const attention_assignment::AttentionInputs& inputs, const grader::Matrix& own_logits,
      attention_assignment::Keys keys) const override;
  [[nodiscard]] grader::Matrix output_on_weights(
      const attention_assignment::AttentionInputs& inputs,
      const grader::Matrix& own_weights) const override;

 private:
  struct Answer {
    attention_assignment::AttentionInputs inputs;
    attention_assignment::ExpectedAttention expected;
  };

  const attention_assignment::Trusted& trusted_;
  std::size_t byte_limit_;
  mutable std::size_t bytes_ = 0;
  mutable std::unordered_multimap<std::size_t, Answer> answers_;  // by hash
};

}  // namespace reference
