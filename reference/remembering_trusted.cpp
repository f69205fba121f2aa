#include "reference/remembering_trusted.hpp"

#include <functional>
#include <string_view>

namespace reference {

using attention_assignment::AttentionInputs;
using attention_assignment::ExpectedAttention;
using grader::Matrix;

namespace {

std::string_view bytes_of(const Matrix& matrix) {
  return {reinterpret_cast<const char*>(matrix.entries.data()),
          matrix.entries.size() * sizeof(double)};
}

bool is_same(const Matrix& left, const Matrix& right) {
  return left.rows == right.rows && left.columns == right.columns &&
         bytes_of(left) == bytes_of(right);
}

bool is_same(const AttentionInputs& left, const AttentionInputs& right) {
  return left.options.causal == right.options.causal &&
         left.options.scaled == right.options.scaled && is_same(left.Q, right.Q) &&
         is_same(left.K, right.K) && is_same(left.V, right.V);
}

// The queries are enough to tell most questions apart; the rest is compared.
std::size_t hash_of(const AttentionInputs& inputs) {
  return std::hash<std::string_view>()(bytes_of(inputs.Q));
}

std::size_t size_of(const AttentionInputs& inputs, const ExpectedAttention& expected) {
  std::size_t bytes = 0;
  for (const Matrix* matrix :
       {&inputs.Q, &inputs.K, &inputs.V, &expected.result.logits, &expected.result.weights,
        &expected.result.output, &expected.magnitudes}) {
    bytes += sizeof(Matrix) + bytes_of(*matrix).size();
  }
  return bytes;
}

}  // namespace

ExpectedAttention RememberingTrusted::attention(const AttentionInputs& inputs) const {
  const std::size_t hash = hash_of(inputs);
  const auto [first, end] = answers_.equal_range(hash);
  for (auto known = first; known != end; ++known) {
    if (is_same(known->second.inputs, inputs)) return known->second.expected;
  }
  ExpectedAttention expected = ReferenceTrusted::attention(inputs);
  ++computed_;
  bytes_ += size_of(inputs, expected);
  if (bytes_ > byte_limit_) {
    answers_.clear();
    bytes_ = size_of(inputs, expected);
  }
  answers_.emplace(hash, Answer{inputs, expected});
  return expected;
}

}  // namespace reference
