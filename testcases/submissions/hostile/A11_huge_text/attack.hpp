// Messages that are huge, different every time, and name no function.
#include <stdexcept>
#include <string>
inline void attack(int) {
  static int count = 0;
  throw std::runtime_error(std::string(1 << 18, '\xe2') + std::to_string(++count) + std::string(1 << 16, '\n'));
}
#define ATTACK(function) attack(function)
