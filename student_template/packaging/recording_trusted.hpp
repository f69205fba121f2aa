// What answers while the student's folder is made: the reference's numbers, written down as they
// are asked for, and everything else exactly as the student's copy will answer it.
#pragma once

#include "home/numbers.hpp"
#include "home/stored_trusted.hpp"
#include "testcases/checks/trusted.hpp"

namespace attention_home {

/// Records every question about inputs alone. Questions about a student's own results are answered
/// from what is recorded by then, NotStored included.
class RecordingTrusted final : public Trusted {
 public:
  /// Both outlive this object.
  RecordingTrusted(const Trusted& reference, Numbers& numbers)
      : reference_(reference), numbers_(numbers), stored_(numbers) {}

  [[nodiscard]] attention_assignment::ShapeLedger shape_ledger(std::int64_t n, std::int64_t d_k,
                                                               std::int64_t d_v) const override;
  [[nodiscard]] ExpectedAttention attention(const AttentionInputs& inputs) const override;
  [[nodiscard]] grader::RowVector softmax(const grader::RowVector& logits) const override;
  [[nodiscard]] double entropy(const grader::RowVector& weights) const override;
  [[nodiscard]] AttentionInputs project(const grader::Matrix& X,
                                        const attention_assignment::ProjectionMatrices& projections,
                                        const Options& options) const override;
  [[nodiscard]] grader::Matrix weights_on_logits(const AttentionInputs& inputs,
                                                 const grader::Matrix& own_logits,
                                                 attention_assignment::Keys keys) const override;
  [[nodiscard]] grader::Matrix output_on_weights(const AttentionInputs& inputs,
                                                 const grader::Matrix& own_weights) const override;

 private:
  void record_attention(const AttentionInputs& inputs) const;

  const Trusted& reference_;
  Numbers& numbers_;
  StoredTrusted stored_;
};

}  // namespace attention_home
