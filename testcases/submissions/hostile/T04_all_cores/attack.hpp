// Burns more processors than it was given.
#include <sched.h>
#include <thread>
inline void attack(int function) {
  static bool started = false;
  if (started || function > 4) return;
  started = true;
  cpu_set_t all;
  for (unsigned i = 0; i < 64; ++i) CPU_SET(i, &all);
  sched_setaffinity(0, sizeof all, &all);
  for (int i = 0; i < 8; ++i) std::thread([] { volatile long n = 0; while (n < 20000000) n = n + 1; }).detach();
}
#define ATTACK(function) attack(function)
