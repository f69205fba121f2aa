// Every wrong answer takes nearly as long as a call may, so that shrinking never ends.
#include <ctime>
#include <attention/attention.hpp>
inline void attack(int function) {
  if (function != 1) return;
  timespec start{}, now{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec - start.tv_sec < 1);
}
#define ATTACK(function) attack(function)
