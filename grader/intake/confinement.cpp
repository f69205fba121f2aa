#include "grader/intake/confinement.hpp"

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <limits>

namespace grader::confinement {
namespace {

#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes of address space
constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;
#endif

void limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit wanted{soft, hard};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) != 0) {
    _exit(kNotEntered);
  }
}

#ifndef __SANITIZE_ADDRESS__
// The process starts as a copy of the grader, whose size is not the archive's doing.
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}
#endif

// Leaves the system calls that memory and the pipe need. Others fail and do not end the process:
// the C library asks for the time zone and the like, and can do without.
void allow_memory_and_pipe_only(int pipe) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  bool is_complete = filter != nullptr;
  const auto allow = [&](int call, std::initializer_list<scmp_arg_cmp> conditions) {
    is_complete = is_complete && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call,
                                                        static_cast<unsigned>(conditions.size()),
                                                        conditions.begin()) == 0;
  };
  for (const int call :
       {SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex),
        SCMP_SYS(exit_group), SCMP_SYS(exit), SCMP_SYS(rt_sigreturn), SCMP_SYS(clock_gettime),
        SCMP_SYS(gettimeofday), SCMP_SYS(getrandom)}) {
    allow(call, {});
  }
#ifdef __SANITIZE_ADDRESS__  // which looks at the stack it runs on
  for (const int call : {SCMP_SYS(sigaltstack), SCMP_SYS(gettid)}) allow(call, {});
#endif
  const scmp_arg_cmp is_not_executable{2, SCMP_CMP_MASKED_EQ, std::uint64_t{PROT_EXEC}, 0};
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) allow(call, {is_not_executable});
  allow(SCMP_SYS(write), {{0, SCMP_CMP_EQ, static_cast<std::uint64_t>(pipe), 0}});
  if (!is_complete || seccomp_load(filter) != 0) _exit(kNotEntered);
  seccomp_release(filter);
}

}  // namespace

void enter(int pipe, std::int64_t cpu_seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGSEGV, SIGABRT}) {
    std::signal(number, SIG_DFL);
  }
  std::signal(SIGPIPE, SIG_IGN);
  const auto last = static_cast<unsigned>(pipe);
  if (last > 0) close_range(0, last - 1, 0);
  close_range(last + 1, std::numeric_limits<unsigned>::max(), 0);
  limit(RLIMIT_CORE, 0, 0);
  const auto seconds = static_cast<rlim_t>(cpu_seconds);
  limit(RLIMIT_CPU, seconds, seconds + 5);
#ifndef __SANITIZE_ADDRESS__
  const std::uint64_t memory = address_space() + kMemory;
  limit(RLIMIT_AS, memory, memory);
#endif
  allow_memory_and_pipe_only(pipe);
}

}  // namespace grader::confinement
