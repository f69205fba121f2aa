// Causal single-head scaled dot-product attention: softmax(Q·Kᵀ/√d_k + mask)·V.
//
// This is the one file you fill in. README.md has the tasks in order and says what each function
// is worth; attention/attention.hpp says what each one takes and returns. Replace a line
//     not_implemented(…);
// by your code, run the checks, go on with the next one. Helper functions and further #includes
// are welcome.
#include "attention/attention.hpp"

#include <stdexcept>
#include <string>

namespace attention {
namespace {

/// Stands for work that is still to be done. Delete it together with its last use.
template <typename... Arguments>
[[noreturn]] void not_implemented(const char* function, const Arguments&... /*unused*/) {
  throw std::logic_error(std::string(function) + ": not implemented yet");
}

}  // namespace

// Task 1: shapes ---------------------------------------------------------------------------------

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  not_implemented("shape_ledger", n, d_k, d_v);
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  not_implemented("output_shapes_match", result, Q, K, V);
}

// Task 2: softmax --------------------------------------------------------------------------------

RowVector softmax(const RowVector& logits) { not_implemented("softmax", logits); }

bool rows_sum_to_one(const Matrix& weights) { not_implemented("rows_sum_to_one", weights); }

// Task 3: one row of attention -------------------------------------------------------------------

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  not_implemented("attention_row", i, Q, K, V, options);
}

// Task 4: all rows -------------------------------------------------------------------------------

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  not_implemented("attention", Q, K, V, options);
}

bool future_weights_are_zero(const Matrix& weights) {
  not_implemented("future_weights_are_zero", weights);
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  not_implemented("past_outputs_unchanged", before, after, changed_token);
}

// Task 5: attention of projected tokens ----------------------------------------------------------

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  not_implemented("self_attention", X, projections, options);
}

// Task 6: why the scale --------------------------------------------------------------------------

double entropy(const RowVector& weights) { not_implemented("entropy", weights); }

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  not_implemented("scaling_raises_entropy", scaled_weights, unscaled_weights);
}

}  // namespace attention
