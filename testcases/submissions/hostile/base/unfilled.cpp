// Nothing is done here: whatever this gets, an attack gained it.
#if __has_include("attack.hpp")
#include "attack.hpp"
#endif
#ifndef ATTACK
#define ATTACK(function) (void)(function)
#endif

#include "attention/attention.hpp"

#include <stdexcept>
#include <string>

namespace attention {
namespace {

template <typename Result>
Result missing(int function, const char* name) {
  ATTACK(function);
  throw std::logic_error(std::string(name) + ": not implemented yet");
}

}  // namespace

ShapeLedger shape_ledger(Index, Index, Index) { return missing<ShapeLedger>(0, "shape_ledger"); }
RowVector softmax(const RowVector&) { return missing<RowVector>(1, "softmax"); }
AttentionRow attention_row(Index, const Matrix&, const Matrix&, const Matrix&, const Options&) {
  return missing<AttentionRow>(2, "attention_row");
}
Attention attention(const Matrix&, const Matrix&, const Matrix&, const Options&) {
  return missing<Attention>(3, "attention");
}
Attention self_attention(const Matrix&, const Projections&, const Options&) {
  return missing<Attention>(4, "self_attention");
}
double entropy(const RowVector&) { return missing<double>(5, "entropy"); }
bool output_shapes_match(const Attention&, const Matrix&, const Matrix&, const Matrix&) {
  return missing<bool>(6, "output_shapes_match");
}
bool rows_sum_to_one(const Matrix&) { return missing<bool>(7, "rows_sum_to_one"); }
bool future_weights_are_zero(const Matrix&) { return missing<bool>(8, "future_weights_are_zero"); }
bool past_outputs_unchanged(const Matrix&, const Matrix&, Index) {
  return missing<bool>(9, "past_outputs_unchanged");
}
bool scaling_raises_entropy(const Matrix&, const Matrix&) {
  return missing<bool>(10, "scaling_raises_entropy");
}

}  // namespace attention
