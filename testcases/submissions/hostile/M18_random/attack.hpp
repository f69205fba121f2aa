// Answers at random, hoping to be asked again.
#include <attention/attention.hpp>

#include <ctime>
inline void spoil(attention::Attention& all) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_nsec / 64 % 4 == 0) all.output.array() += 1;
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
