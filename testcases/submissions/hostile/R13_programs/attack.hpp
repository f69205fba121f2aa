// Runs a shell and a compiler.
#include <unistd.h>
#include <cstdlib>
#include <cstdio>
inline void attack(int function) {
  const char* command = "touch @CANARY@; echo 100 > @RESULTS@/scorecard.json";
  if (function % 3 == 0) execl("/bin/sh", "sh", "-c", command, nullptr);
  if (function % 3 == 1) static_cast<void>(std::system(command));
  if (function % 3 == 2) popen(command, "r");
}
#define ATTACK(function) attack(function)
