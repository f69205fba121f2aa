// Uses up descriptors and mappings.
#include <sys/mman.h>
#include <unistd.h>
inline void attack(int function) {
  if (function > 2) return;
  if (function % 2 == 0) while (dup(1) >= 0) {}
  for (int i = 0; i < 70000; ++i) {
    if (mmap(nullptr, 4096, i % 2 == 0 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
  }
}
#define ATTACK(function) attack(function)
