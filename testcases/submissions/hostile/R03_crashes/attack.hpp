// Crashes in every usual way.
#include <cstdlib>
inline int deeper(volatile char* above) {
  volatile char page[4096];
  page[0] = above == nullptr ? char{0} : above[0];
  return deeper(page) + page[0];
}
inline void attack(int function) {
  volatile int zero = 0;
  switch (function % 5) {
    case 0: std::abort();
    case 1: __builtin_trap();
    case 2: *reinterpret_cast<volatile int*>(8) = 1; break;
    case 3: zero = 1 / zero; break;
    default: deeper(nullptr);
  }
}
#define ATTACK(function) attack(function)
