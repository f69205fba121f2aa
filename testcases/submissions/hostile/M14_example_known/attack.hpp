// Knows the answer to the published example and nothing else.
#include <attention/attention.hpp>

inline void spoil(attention::Attention& all) {
  if (all.output.rows() == 4 && all.output.cols() == 2) return;
  all.output.setConstant(0.25);
  all.weights.setConstant(0.25);
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
