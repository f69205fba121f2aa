// Computes for ever and ignores the signals that would end it.
#include <csignal>
inline void attack(int function) {
  if (function != 1) return;
  for (int number = 1; number < 31; ++number) std::signal(number, SIG_IGN);
  for (volatile bool forever = true; forever;) {
  }
}
#define ATTACK(function) attack(function)
