// The trusted side of the checks at home: it computes nothing, it looks up what was recorded.
#pragma once

#include "home/numbers.hpp"
#include "home/stored_attention.hpp"
#include "testcases/checks/trusted.hpp"

namespace attention_home {

/// Answers questions about inputs that were recorded. A question about the student's own logits or
/// weights is answered when they are, within the tolerance, the expected ones under some
/// combination of the options; else NotStored names the check that has to pass first.
class StoredTrusted : public Trusted {
 public:
  /// `numbers` outlives this object.
  explicit StoredTrusted(const Numbers& numbers) : numbers_(numbers) {}

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
  const Numbers& numbers_;
};

/// The keys of the remaining questions, shared with what records them.
[[nodiscard]] Key ledger_key(std::int64_t n, std::int64_t d_k, std::int64_t d_v);
[[nodiscard]] Key row_key(Question question, const grader::RowVector& row);
[[nodiscard]] Key project_key(const grader::Matrix& X,
                              const attention_assignment::ProjectionMatrices& projections);

}  // namespace attention_home
