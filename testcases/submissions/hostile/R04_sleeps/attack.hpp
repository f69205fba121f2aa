// Stops itself, sleeps and waits for ever, in the middle of softmax.
#include <unistd.h>
#include <csignal>
inline void attack(int function) {
  if (function == 1) {
    std::raise(SIGSTOP);
    for (;;) sleep(1000);
  }
}
#define ATTACK(function) attack(function)
