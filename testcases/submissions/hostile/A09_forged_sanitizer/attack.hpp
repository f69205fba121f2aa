// Crashes, and where the sanitizers watch prints reports of its own first, looks for secrets, and
// has names that terminals and browsers obey.
#include <cstdio>
#include <fstream>
#include <string>
#line 7 "\033[2J<img src=x onerror=alert(1)>FORGED.cpp"
__attribute__((noinline)) static void crash(int* place) asm("FORGED_full_marks");
static void crash(int* place) { *static_cast<volatile int*>(place) = 1; }
inline void attack(int) {
#ifdef __SANITIZE_ADDRESS__
  std::fputs(
      "==1==ERROR: AddressSanitizer: FORGED \033[2J<script>alert(1)</script>\n"
      "READ of size 77 at 0x1\n"
      "    #0 0x1 in FORGED /submission/FORGED.cpp:1\n"
      "    #1 0x1  (/proc/self/exe+0x0bad)\n"
      "/submission/../../etc/FORGED:3:1: runtime error: FORGED\n"
      "/submission/attention.cpp:4242424242: runtime error: division by zero FORGED\n"
      "::error file=FORGED::full marks\n",
      stderr);
  for (const char* path : {"@SECRET@", "@LOCAL_SECRET@", "/proc/self/environ"}) {
    std::string line;
    std::getline(std::ifstream(path), line);
    std::fputs(("/submission/" + line + ":1\n").c_str(), stderr);
  }
  std::ofstream("@CANARY@") << "touched";
#endif
  crash(nullptr);
}
#define ATTACK(function) attack(function)
