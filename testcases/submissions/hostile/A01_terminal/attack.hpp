// Clears the screen, sets the title and the clipboard, overwrites lines.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "\033[2J\033[H\033[32mAll 24 checks passed\033[0m\n"
    "\033]0;owned\007\033]52;c;dG91Y2g=\007\033]8;;http://example.invalid\033\\link\033]8;;\033\\\n"
    "score 0 / 100\015score 100 / 100\010\010\177\n"
    "\302\23331m\342\200\256001\342\201\246\342\200\213\357\273\277\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
