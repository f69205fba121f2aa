// Locks memory and asks for huge pages.
#include <sys/mman.h>
inline void attack(int) {
  static void* memory = mmap(nullptr, 64U << 20U, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, 64U << 20U, MADV_HUGEPAGE);
  mlock(memory, 64U << 20U);
  mmap(nullptr, 2U << 20U, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
}
#define ATTACK(function) attack(function)
