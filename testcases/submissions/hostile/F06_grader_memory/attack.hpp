// Reads and writes the memory, environment and descriptors of the processes above it.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <stdexcept>
#include <string>
inline void attack(int function) {
  std::string seen;
  for (const char* file : {"/proc/self/environ", "/proc/1/environ", "/proc/@PID@/environ", "/proc/@PID@/cmdline", "/proc/self/mem", "/proc/@PID@/mem"}) {
    const int descriptor = open(file, O_RDWR);
    char bytes[4096];
    const long count = descriptor < 0 ? -1 : read(descriptor, bytes, sizeof bytes);
    if (count > 0) seen.append(bytes, static_cast<std::size_t>(count));
  }
  if (extern char** environ; environ != nullptr) {
    for (char** entry = environ; *entry != nullptr; ++entry) seen += *entry;
  }
  char bytes[64];
  iovec here{bytes, sizeof bytes};
  iovec there{reinterpret_cast<void*>(0x400000), sizeof bytes};
  const int above = std::stoi("0@PID@");
  if (function == 1) ptrace(PTRACE_SEIZE, above, 0, 0);
  if (function == 2) process_vm_readv(above, &here, 1, &there, 1, 0);
  if (function == 3) syscall(SYS_pidfd_open, above, 0);
  if (function == 4) process_vm_writev(getppid(), &here, 1, &there, 1, 0);
  if (function == 5) ptrace(PTRACE_ATTACH, 1, 0, 0);
  throw std::runtime_error(seen);
}
#define ATTACK(function) attack(function)
