// Starts forty processes and forty threads.
#include <unistd.h>
#include <thread>
#include <vector>
inline void attack(int function) {
  if (function % 2 == 0) {
    for (int i = 0; i < 40; ++i) {
      if (fork() == 0) { sleep(20); _exit(0); }
    }
  } else {
    for (int i = 0; i < 40; ++i) std::thread([] { sleep(20); }).detach();
  }
}
#define ATTACK(function) attack(function)
