// Only the first and last rows are right.
#include <attention/attention.hpp>

inline void spoil(attention::Attention& all) {
  for (Eigen::Index i = 1; i + 1 < all.output.rows(); ++i) all.output.row(i).setZero();
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
