// Computes with eight digits less than it should.
#include <attention/attention.hpp>

inline void coarsen(double* numbers, Eigen::Index count) {
  for (Eigen::Index i = 0; i < count; ++i) numbers[i] = static_cast<double>(static_cast<float>(numbers[i]));
}
inline void spoil(attention::RowVector& row) { coarsen(row.data(), row.size()); }
inline void spoil(attention::Attention& all) { coarsen(all.output.data(), all.output.size()); }
inline void spoil(attention::AttentionRow& row) { coarsen(row.output.data(), row.output.size()); }
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
