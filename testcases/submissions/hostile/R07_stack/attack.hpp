// Leaves the call by overwriting return addresses and jumping away.
#include <csetjmp>
#include <cstdint>
#include <cstring>
static std::jmp_buf place;
__attribute__((noinline)) inline void attack(int function) {
  if (function % 2 == 0) {
    std::memset(&place, 0x41, sizeof place);
    std::longjmp(place, 1);
  }
  auto* frame = static_cast<volatile std::uintptr_t*>(__builtin_frame_address(0));
  for (int word = 0; word < 64; ++word) frame[word] = frame[word] > 0x1000 ? frame[word] ^ 0x10 : 1;
}
#define ATTACK(function) attack(function)
