// The contract as typed calls on any grader::Implementation.
#pragma once

#include "grader/contract/implementation.hpp"
#include "grader/engine/check.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

/// A typed façade. Every function throws grader::CallFault when the call does not return a value
/// of the declared type. Sizes are returned as they come: whoever indexes a result looks at its
/// rows and columns first.
class Student {
 public:
  explicit Student(grader::Implementation& implementation) : implementation_(implementation) {}

  ShapeLedger shape_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v);
  grader::RowVector softmax(const grader::RowVector& logits);
  AttentionRowResult attention_row(std::int64_t i, const AttentionInputs& inputs);
  AttentionResult attention(const AttentionInputs& inputs);
  AttentionResult self_attention(const grader::Matrix& X, const ProjectionMatrices& projections,
                                 const Options& options);
  double entropy(const grader::RowVector& weights);
  /// One of the five assertion functions.
  bool assertion(grader::FunctionId function, const grader::Arguments& arguments);

 private:
  grader::Value call(grader::FunctionId function, const grader::Arguments& arguments);

  grader::Implementation& implementation_;
};

/// The options as the contract's record.
[[nodiscard]] grader::Record options_record(const Options& options);
/// A result as the contract's record.
[[nodiscard]] grader::Record attention_record(const AttentionResult& result);

}  // namespace attention_assignment
