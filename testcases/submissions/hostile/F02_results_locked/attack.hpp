// Removes, renames and locks the results, then crashes.
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
inline void attack(int function) {
  unlink("@RESULTS@/scorecard.json");
  std::rename("@RESULTS@", "@RESULTS@.old");
  if (function % 2 == 0) chmod("@RESULTS@", 0);
  if (function % 2 == 1) symlink("@CANARY@", "@RESULTS@/scorecard.json");
  std::abort();
}
#define ATTACK(function) attack(function)
