#include "testcases/checks/student.hpp"

#include <string>
#include <utility>

#include "grader/base/fault.hpp"
#include "testcases/contract.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::Record;
using grader::RowVector;
using grader::Value;

/// Member `index` of a record whose type has been checked against the contract.
template <class T>
T take(Record& record, std::size_t index) {
  return std::get<T>(std::move(record.fields[index].value));
}

AttentionResult attention_result(Value value) {
  auto& record = std::get<Record>(value);
  AttentionResult result;
  result.logits = take<Matrix>(record, 0);
  result.weights = take<Matrix>(record, 1);
  result.output = take<Matrix>(record, 2);
  return result;
}

}  // namespace

Record options_record(const Options& options) {
  return Record{{{"causal", options.causal}, {"scaled", options.scaled}}};
}

Record attention_record(const AttentionResult& result) {
  return Record{
      {{"logits", result.logits}, {"weights", result.weights}, {"output", result.output}}};
}

Value Student::call(grader::FunctionId function, const grader::Arguments& arguments) {
  const grader::Function& signature = contract()[function];
  grader::Outcome outcome = implementation_.call(function, arguments);
  if (outcome.ending == grader::Ending::returned && !has_type(outcome.value, signature.result)) {
    outcome.ending = grader::Ending::malformed;
    outcome.message = "the result is not of the type that the contract declares";
  }
  if (outcome.ending != grader::Ending::returned) {
    throw grader::CallFault{signature.name, std::move(outcome)};
  }
  return std::move(outcome.value);
}

ShapeLedger Student::shape_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v) {
  Value value = call(kShapeLedger, {n, d_k, d_v});
  auto& record = std::get<Record>(value);
  ShapeLedger ledger;
  for (std::size_t index = 0; index < ledger.size(); ++index) {
    auto& shape = std::get<Record>(record.fields[index].value);
    ledger[index] = {take<std::int64_t>(shape, 0), take<std::int64_t>(shape, 1)};
  }
  return ledger;
}

RowVector Student::softmax(const RowVector& logits) {
  return std::get<RowVector>(call(kSoftmax, {logits}));
}

AttentionRowResult Student::attention_row(std::int64_t i, const AttentionInputs& inputs) {
  Value value =
      call(kAttentionRow, {i, inputs.Q, inputs.K, inputs.V, options_record(inputs.options)});
  auto& record = std::get<Record>(value);
  AttentionRowResult result;
  result.logits = take<RowVector>(record, 0);
  result.weights = take<RowVector>(record, 1);
  result.output = take<RowVector>(record, 2);
  return result;
}

AttentionResult Student::attention(const AttentionInputs& inputs) {
  return attention_result(
      call(kAttention, {inputs.Q, inputs.K, inputs.V, options_record(inputs.options)}));
}

AttentionResult Student::self_attention(const Matrix& X, const ProjectionMatrices& projections,
                                        const Options& options) {
  const Record matrices{
      {{"W_q", projections.W_q}, {"W_k", projections.W_k}, {"W_v", projections.W_v}}};
  return attention_result(call(kSelfAttention, {X, matrices, options_record(options)}));
}

double Student::entropy(const RowVector& weights) {
  return std::get<double>(call(kEntropy, {weights}));
}

bool Student::assertion(grader::FunctionId function, const grader::Arguments& arguments) {
  return std::get<bool>(call(function, arguments));
}

}  // namespace attention_assignment
