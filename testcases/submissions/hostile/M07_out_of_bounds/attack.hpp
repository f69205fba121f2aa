// Writes past the ends of its results and its inputs.
#include <attention/attention.hpp>

inline void spoil(attention::Attention& all) {
  double* end = all.weights.data();
  for (long i = -64; i < 4096; ++i) end[i] = 1;
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
