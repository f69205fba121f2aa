// Returns memory that was never written, hoping that the answer is still in it.
#include <attention/attention.hpp>

#include <cstdlib>
#include <new>
template <typename Matrix_>
void forget(Matrix_& matrix) {
  const auto rows = matrix.rows();
  const auto cols = matrix.cols();
  matrix = Matrix_();
  new (&matrix) Matrix_(rows, cols);
}
inline void spoil(attention::RowVector& row) { forget(row); }
inline void spoil(attention::AttentionRow& row) { forget(row.logits); forget(row.weights); forget(row.output); }
inline void spoil(attention::Attention& all) { forget(all.logits); forget(all.weights); forget(all.output); }
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
