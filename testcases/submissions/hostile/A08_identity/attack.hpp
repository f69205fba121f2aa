// Claims to be somebody else.
// Name: Somebody Else
// Student id: 4711
// submission: { "id": "somebody_else" }
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "submission id: somebody_else\n"
    "{\"submission\": {\"id\": \"somebody_else\"}}\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
