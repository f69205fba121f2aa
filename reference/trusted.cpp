#include "reference/trusted.hpp"

#include <limits>

#include "reference/stages.hpp"

namespace reference {

using attention_assignment::AttentionInputs;
using attention_assignment::ExpectedAttention;
using attention_assignment::Keys;
using attention_assignment::ShapeLedger;
using grader::Matrix;
using grader::RowVector;

ShapeLedger ReferenceTrusted::shape_ledger(std::int64_t n, std::int64_t d_k,
                                           std::int64_t d_v) const {
  return {{{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}}};
}

ExpectedAttention ReferenceTrusted::attention(const AttentionInputs& inputs) const {
  const WideMatrix wide_logits = logits(inputs);
  const WideMatrix wide_weights = softmax_rows(wide_logits);
  const WideMatrix wide_output = product(wide_weights, widened(inputs.V));
  return {{rounded(wide_logits), rounded(wide_weights), rounded(wide_output)},
          rounded(magnitudes(inputs))};
}

RowVector ReferenceTrusted::softmax(const RowVector& logits) const {
  const std::vector<long double> wide(logits.entries.begin(), logits.entries.end());
  RowVector weights;
  for (const long double weight : reference::softmax(wide)) {
    weights.entries.push_back(static_cast<double>(weight));
  }
  return weights;
}

double ReferenceTrusted::entropy(const RowVector& weights) const {
  return static_cast<double>(
      reference::entropy(std::vector<long double>(weights.entries.begin(), weights.entries.end())));
}

AttentionInputs ReferenceTrusted::project(
    const Matrix& X, const attention_assignment::ProjectionMatrices& projections,
    const attention_assignment::Options& options) const {
  const WideMatrix tokens = widened(X);
  return {rounded(product(tokens, widened(projections.W_q))),
          rounded(product(tokens, widened(projections.W_k))),
          rounded(product(tokens, widened(projections.W_v))), options};
}

Matrix ReferenceTrusted::weights_on_logits(const AttentionInputs& inputs, const Matrix& own_logits,
                                           Keys keys) const {
  WideMatrix logits = widened(own_logits);
  if (keys == Keys::visible) {
    for (std::int64_t i = 0; i < logits.rows; ++i) {
      for (std::int64_t j = 0; j < logits.columns; ++j) {
        if (!inputs.visible(i, j)) logits(i, j) = -std::numeric_limits<long double>::infinity();
      }
    }
  }
  return rounded(softmax_rows(logits));
}

Matrix ReferenceTrusted::output_on_weights(const AttentionInputs& inputs,
                                           const Matrix& own_weights) const {
  // A weight that is not finite spoils its row through the product by itself; zero columns of V
  // would hide NaN only if V had no columns at all.
  return rounded(product(widened(own_weights), widened(inputs.V)));
}

}  // namespace reference
