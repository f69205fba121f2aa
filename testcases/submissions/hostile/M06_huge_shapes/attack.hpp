// Returns matrices whose sizes overflow, are negative or far beyond their memory.
#include <attention/attention.hpp>

struct Fields { double* data; Eigen::Index rows; Eigen::Index cols; };
inline void spoil(attention::Attention& all) {
  static int count = 0;
  auto& fields = reinterpret_cast<Fields&>(all.weights);
  switch (count++ % 4) {
    case 0: fields.rows = Eigen::Index{1} << 32; fields.cols = Eigen::Index{1} << 32; break;
    case 1: fields.rows = -1; fields.cols = -1; break;
    case 2: fields.rows = Eigen::Index{1} << 20; break;
    default: fields.data = nullptr;
  }
}
inline void spoil(attention::AttentionRow& row) { reinterpret_cast<Fields&>(row.output).rows = Eigen::Index{1} << 61; }
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
