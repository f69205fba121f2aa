// Overflows the stack at once and in small steps.
#include <alloca.h>
inline long deeper(long depth) {
  volatile long here = depth;
  return depth > 100000000 ? here : deeper(depth + 1) + here;
}
inline void attack(int function) {
  if (function > 4) return;
  if (function % 2 == 0) { static_cast<volatile char*>(alloca(512U << 20U))[0] = 1; }
  volatile long start = 0;
  start = deeper(start);
}
#define ATTACK(function) attack(function)
