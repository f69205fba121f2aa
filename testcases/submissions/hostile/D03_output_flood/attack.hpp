// Prints without end: one line of megabytes, NUL bytes, and a little forever.
#include <unistd.h>
#include <string>
inline void attack(int function) {
  static const std::string line(1 << 16, function % 2 == 0 ? 'x' : '\0');
  for (int i = 0; i < 40; ++i) static_cast<void>(write(1 + i % 2, line.data(), line.size()));
}
#define ATTACK(function) attack(function)
