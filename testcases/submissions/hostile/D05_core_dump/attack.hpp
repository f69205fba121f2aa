// Asks for a dump of its memory and crashes.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <cstdlib>
inline void attack(int function) {
  rlimit all{RLIM_INFINITY, RLIM_INFINITY};
  if (function % 2 == 0) setrlimit(RLIMIT_CORE, &all);
  if (function % 3 == 0) prctl(PR_SET_DUMPABLE, 1);
  std::abort();
}
#define ATTACK(function) attack(function)
