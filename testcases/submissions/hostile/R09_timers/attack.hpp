// Sets timers whose signals run code between calls.
#include <sys/time.h>
#include <csignal>
#include <ctime>
#include <unistd.h>
inline void attack(int function) {
  std::signal(SIGALRM, [](int) { static_cast<void>(write(1, "tick\n", 5)); });
  itimerval often{{0, 1000}, {0, 1000}};
  timer_t timer{};
  if (function % 3 == 0) setitimer(ITIMER_REAL, &often, nullptr);
  if (function % 3 == 1) timer_create(CLOCK_MONOTONIC, nullptr, &timer);
  if (function % 3 == 2) alarm(1);
}
#define ATTACK(function) attack(function)
