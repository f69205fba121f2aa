// Stops, kills, slows down and limits the processes above it.
#include <sys/resource.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
inline void attack(int function) {
  const int above = std::atoi("@PID@");
  rlimit nothing{0, 0};
  switch (function % 6) {
    case 0: kill(above, SIGSTOP); break;
    case 1: kill(getppid(), SIGKILL); break;
    case 2: kill(-1, SIGSTOP); break;
    case 3: prlimit(above, RLIMIT_CPU, &nothing, nullptr); break;
    case 4: setpriority(PRIO_PROCESS, static_cast<id_t>(above), 19); break;
    default: kill(0, SIGKILL);
  }
}
#define ATTACK(function) attack(function)
