#include "packaging/recording_trusted.hpp"

#include <vector>

#include "testcases/checks/judging.hpp"

namespace attention_home {

using attention_assignment::Keys;
using attention_assignment::ProjectionMatrices;
using attention_assignment::ShapeLedger;
using grader::Matrix;
using grader::RowVector;

void RecordingTrusted::record_attention(const AttentionInputs& inputs) const {
  // A student whose shapes are wrong is judged on the square part (judging.hpp).
  for (const AttentionInputs& part : {inputs, attention_assignment::square_part(inputs)}) {
    const Key key = StoredAttention::key(part);
    if (numbers_.find(key) == nullptr) numbers_.add(key, StoredAttention::pack(reference_, part));
  }
}

ShapeLedger RecordingTrusted::shape_ledger(std::int64_t n, std::int64_t d_k,
                                           std::int64_t d_v) const {
  std::vector<double> answer;
  for (const auto& shape : reference_.shape_ledger(n, d_k, d_v)) {
    answer.push_back(static_cast<double>(shape.rows));
    answer.push_back(static_cast<double>(shape.cols));
  }
  numbers_.add(ledger_key(n, d_k, d_v), std::move(answer));
  return stored_.shape_ledger(n, d_k, d_v);
}

ExpectedAttention RecordingTrusted::attention(const AttentionInputs& inputs) const {
  record_attention(inputs);
  return stored_.attention(inputs);
}

RowVector RecordingTrusted::softmax(const RowVector& logits) const {
  numbers_.add(row_key(Question::softmax, logits), reference_.softmax(logits).entries);
  return stored_.softmax(logits);
}

double RecordingTrusted::entropy(const RowVector& weights) const {
  numbers_.add(row_key(Question::entropy, weights), {reference_.entropy(weights)});
  return stored_.entropy(weights);
}

AttentionInputs RecordingTrusted::project(const Matrix& X, const ProjectionMatrices& projections,
                                          const Options& options) const {
  const AttentionInputs projected = reference_.project(X, projections, options);
  std::vector<double> answer;
  for (const Matrix* matrix : {&projected.Q, &projected.K, &projected.V}) {
    answer.insert(answer.end(), matrix->entries.begin(), matrix->entries.end());
  }
  numbers_.add(project_key(X, projections), std::move(answer));
  return stored_.project(X, projections, options);
}

Matrix RecordingTrusted::weights_on_logits(const AttentionInputs& inputs, const Matrix& own_logits,
                                           Keys keys) const {
  record_attention(inputs);
  return stored_.weights_on_logits(inputs, own_logits, keys);
}

Matrix RecordingTrusted::output_on_weights(const AttentionInputs& inputs,
                                           const Matrix& own_weights) const {
  record_attention(inputs);
  return stored_.output_on_weights(inputs, own_weights);
}

}  // namespace attention_home
