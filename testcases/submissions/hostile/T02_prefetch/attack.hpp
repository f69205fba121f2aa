// A thread watches for the next inputs and computes before it is asked.
#include <thread>
inline void attack(int) {
  static bool started = false;
  if (started) return;
  started = true;
  std::thread([] {
    volatile double sum = 0;
    for (long i = 0; i < 20000000; ++i) sum = sum + 1;
  }).detach();
}
#define ATTACK(function) attack(function)
