// Ends like a time limit, a full memory or an interrupted grader would.
#include <unistd.h>
#include <csignal>
inline void attack(int function) {
  switch (function % 5) {
    case 0: _exit(124);
    case 1: _exit(137);
    case 2: std::raise(SIGKILL); break;
    case 3: std::raise(SIGTERM); break;
    default: std::raise(SIGINT); _exit(2);
  }
}
#define ATTACK(function) attack(function)
