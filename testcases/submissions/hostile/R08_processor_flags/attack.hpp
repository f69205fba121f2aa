// Leaves rounding, denormals and the direction of string copies changed.
#include <cfenv>
#include <immintrin.h>
inline void attack(int) {
  std::fesetround(FE_TOWARDZERO);
  _mm_setcsr(_mm_getcsr() | 0x8040U);
  asm volatile("std");
}
#define ATTACK(function) attack(function)
