// Answers depend on memory that was never written.
#include <attention/attention.hpp>

#include <cstdlib>
inline void spoil(attention::Attention& all) {
  auto* garbage = static_cast<unsigned*>(std::malloc(1 << 12));
  unsigned sum = static_cast<unsigned>(reinterpret_cast<std::size_t>(&all) >> 4U);
  for (int i = 0; i < 1024; ++i) sum += garbage[i];
  std::free(garbage);
  all.output.array() += sum % 2;
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
