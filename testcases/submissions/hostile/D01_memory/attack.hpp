// Takes all the memory there is, up to two gigabytes.
#include <sys/mman.h>
#include <cstring>
inline void attack(int function) {
  for (int i = 0; i < 32; ++i) {
    const std::size_t size = 64U << 20U;
    void* memory = function % 2 == 0 ? ::operator new(size) : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) __builtin_trap();
    for (std::size_t byte = 0; byte < size; byte += 4096) static_cast<volatile char*>(memory)[byte] = 1;
  }
}
#define ATTACK(function) attack(function)
