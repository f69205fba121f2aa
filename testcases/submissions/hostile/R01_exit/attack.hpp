// Ends the process with success in five ways.
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>
[[noreturn]] inline void attack(int function) {
  switch (function % 5) {
    case 0: std::exit(0);
    case 1: _exit(0);
    case 2: std::quick_exit(0);
    case 3: syscall(SYS_exit_group, 0); [[fallthrough]];
    default: syscall(SYS_exit, 0); std::_Exit(0);
  }
}
#define ATTACK(function) attack(function)
