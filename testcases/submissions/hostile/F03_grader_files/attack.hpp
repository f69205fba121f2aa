// Appends to the grader, its assignment and files outside.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
inline void attack(int function) {
  for (const char* name : {"@CANARY@", "@GRADER@", "@ASSIGNMENT@/assignment.json", "/host"}) {
    const int file = open(name, O_WRONLY | O_APPEND);
    if (file >= 0) static_cast<void>(write(file, "hostile\n", 8));
  }
  if (function > 5) truncate("@CANARY@", 0);
}
#define ATTACK(function) attack(function)
