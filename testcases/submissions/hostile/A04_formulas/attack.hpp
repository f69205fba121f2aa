// Text that a spreadsheet would compute.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "=HYPERLINK(\"http://example.invalid\",\"100\")\n"
    "+1+cmd|' /C calc'!A0\n"
    "-2+3\n"
    "@SUM(1+1)\n"
    "\011=1+1\015=1+1\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
