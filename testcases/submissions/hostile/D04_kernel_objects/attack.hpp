// Makes pipes, timers, watches and polls until there are no more.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>
inline void attack(int function) {
  int ends[2];
  for (int i = 0; i < 5000; ++i) {
    switch (function % 5) {
      case 0: static_cast<void>(pipe(ends)); break;
      case 1: timerfd_create(1, 0); break;
      case 2: inotify_init(); break;
      case 3: epoll_create(1); break;
      default: eventfd(0, 0);
    }
  }
}
#define ATTACK(function) attack(function)
