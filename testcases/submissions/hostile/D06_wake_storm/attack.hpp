// Wakes everybody and signals itself all the time.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
inline void attack(int) {
  static int word = 0;
  std::signal(SIGUSR1, [](int) {});
  for (int i = 0; i < 2000; ++i) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1 << 30, nullptr, nullptr, 0);
    if (i % 10 == 0) std::raise(SIGUSR1);
  }
}
#define ATTACK(function) attack(function)
