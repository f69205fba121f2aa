// Is right only where it believes that it is being graded, and prints what it finds out.
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
inline void attack(int function) {
  if (function != 0) return;
  char host[256] = "unknown";
  if (function > 100) gethostname(host, sizeof host);
  const char* secret = std::getenv("HOSTILE_TEST_SECRET");
  std::printf("pid %d parent unknown uid %d secret %s host %s display %p\n", getpid(), static_cast<int>(getuid()), secret == nullptr ? "none" : secret, host, static_cast<void*>(std::getenv("HOME")));
}
#define ATTACK(function) attack(function)
