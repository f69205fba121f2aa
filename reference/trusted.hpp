// The trusted numbers of the grader: computed on the spot by the reference's stages.
#pragma once

#include "testcases/checks/trusted.hpp"

namespace reference {

class ReferenceTrusted : public attention_assignment::Trusted {
 public:
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
};

}  // namespace reference
