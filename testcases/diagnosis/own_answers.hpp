// The submission's answers to diagnostic questions. A call that does not return is no answer.
#pragma once

#include <optional>
#include <vector>

#include "testcases/checks/attention_types.hpp"
#include "testcases/checks/student.hpp"

namespace attention_assignment {

/// Thrown when asking on would cost too much: functions that hang cost a time limit a call, and
/// those that crash a process.
struct TooDearToAsk {};

/// Asks `implementation`. attention(), attention_row() and self_attention() are asked in a fresh
/// state each as long as the submission may keep something between calls, so that this does not
/// look like a mistake of another kind.
class OwnAnswers {
 public:
  explicit OwnAnswers(grader::Implementation& implementation)
      : implementation_(implementation), student_(implementation) {}

  std::optional<AttentionResult> attention(const AttentionInputs& inputs);
  std::optional<AttentionRowResult> attention_row(std::int64_t i, const AttentionInputs& inputs);
  std::optional<AttentionResult> self_attention(const grader::Matrix& X,
                                                const ProjectionMatrices& projections,
                                                const Options& options);
  std::optional<grader::RowVector> softmax(const grader::RowVector& logits);
  std::optional<double> entropy(const grader::RowVector& weights);
  std::optional<ShapeLedger> shape_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v);
  std::optional<bool> assertion(grader::FunctionId function, const grader::Arguments& arguments);

  /// attention() on each of the inputs, one after the other in one process.
  std::vector<std::optional<AttentionResult>> sequence(const std::vector<AttentionInputs>& inputs);

  /// The submission answers in one process as in many: a fresh process for each call is not needed.
  void trust_state() { trusts_state_ = true; }

 private:
  template <class Ask>
  auto answer(Ask ask) -> std::optional<decltype(ask())>;

  void start_fresh() {
    if (!trusts_state_) implementation_.start_fresh();
  }

  grader::Implementation& implementation_;
  Student student_;
  bool trusts_state_ = false;
  int lost_processes_ = 0;
};

}  // namespace attention_assignment
