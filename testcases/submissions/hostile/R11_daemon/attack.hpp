// Leaves a process behind that outlives the grader.
#include <unistd.h>
inline void attack(int) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (int second = 0; second < 25; ++second) sleep(1);
  _exit(0);
}
#define ATTACK(function) attack(function)
