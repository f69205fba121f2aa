// Handles every signal slowly and takes long to end.
#include <unistd.h>
#include <csignal>
#include <cstdlib>
inline void attack(int function) {
  for (int number = 1; number < 31; ++number) std::signal(number, [](int) { for (;;) sleep(5); });
  std::atexit([] { for (;;) sleep(5); });
  if (function == 1) std::abort();
  if (function == 5) std::exit(0);
}
#define ATTACK(function) attack(function)
