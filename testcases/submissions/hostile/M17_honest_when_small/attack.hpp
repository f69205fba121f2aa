// Wrong for large inputs and right for small ones, so that no small counterexample is found.
#include <attention/attention.hpp>

inline void spoil(attention::Attention& all) {
  if (all.output.rows() > 5) all.output(5, 0) += 1;
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
