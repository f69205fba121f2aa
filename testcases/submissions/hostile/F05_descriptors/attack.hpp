// Writes to every descriptor that was left open.
#include <unistd.h>
inline void attack(int) {
  for (int file = 3; file < 300; ++file) {
    static_cast<void>(write(file, "\1\1\1\1\1\1\1\1passed\n", 15));
    char bytes[64];
    if (file > 30) static_cast<void>(read(file, bytes, sizeof bytes));
    close(file);
  }
}
#define ATTACK(function) attack(function)
