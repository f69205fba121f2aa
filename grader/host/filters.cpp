#include "grader/host/filters.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "grader/base/fault.hpp"
#include "grader/host/protocol.hpp"
#include "grader/sandbox/descriptor.hpp"
#include "grader/sandbox/process.hpp"

namespace grader::host {
namespace {

enum class Phase { loading, serving };

// Exactly what the C library's pthread_create asks for: a thread of this process, no new namespace.
constexpr std::uint64_t kThreadFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                       CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                                       CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
constexpr std::uint64_t kPrctlSetName = 15;

/// Collects the rules of one filter. Conditions compare all 64 bits of an argument: the kernel
/// looks at fewer in places, and a comparison of the low half alone could be fooled by the high
/// half.
class Rules {
 public:
  Rules() : context_(seccomp_init(SCMP_ACT_TRAP), &seccomp_release) {
    if (!context_) {
      throw EnvironmentFault("seccomp filters cannot be built here",
                             "Use a Linux kernel with seccomp on x86-64.");
    }
    check(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  }

  void allow(std::initializer_list<int> calls) {
    for (const int call : calls) {
      check(seccomp_rule_add(context_.get(), SCMP_ACT_ALLOW, call, 0));
    }
  }
  void allow_if(int call, std::initializer_list<scmp_arg_cmp> conditions) {
    check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ALLOW, call,
                                 static_cast<unsigned>(conditions.size()), conditions.begin()));
  }
  void fail(std::initializer_list<int> calls, int error) {
    for (const int call : calls) {
      check(
          seccomp_rule_add(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, 0));
    }
  }
  void fail_if(int call, int error, std::initializer_list<scmp_arg_cmp> conditions) {
    check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call,
                                 static_cast<unsigned>(conditions.size()), conditions.begin()));
  }

  [[nodiscard]] std::vector<sock_filter> compile() const {
    const Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
    if (!file || seccomp_export_bpf(context_.get(), file.get()) != 0) {
      throw_system_error("compile the filter of system calls");
    }
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    std::vector<sock_filter> program(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size) {
      throw_system_error("read the compiled filter of system calls");
    }
    return program;
  }

 private:
  static void check(int result) {
    if (result != 0) {
      throw InternalFault("a rule for system calls was refused: error " + std::to_string(-result));
    }
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

scmp_arg_cmp equals(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp differs(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp at_most(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_LE, value, 0};
}
scmp_arg_cmp masked_equals(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

void add_computing(Rules& rules, bool with_threads) {
  rules.allow({SCMP_SYS(read),
               SCMP_SYS(write),
               SCMP_SYS(writev),
               SCMP_SYS(close),
               SCMP_SYS(fstat),
               SCMP_SYS(lseek),
               SCMP_SYS(munmap),
               SCMP_SYS(brk),
               SCMP_SYS(mremap),
               SCMP_SYS(madvise),
               SCMP_SYS(rt_sigprocmask),
               SCMP_SYS(rt_sigreturn),
               SCMP_SYS(sigaltstack),
               SCMP_SYS(getpid),
               SCMP_SYS(gettid),
               SCMP_SYS(getuid),
               SCMP_SYS(geteuid),
               SCMP_SYS(getgid),
               SCMP_SYS(getegid),
               SCMP_SYS(exit),
               SCMP_SYS(exit_group),
               SCMP_SYS(futex),
               SCMP_SYS(clock_gettime),
               SCMP_SYS(clock_getres),
               SCMP_SYS(gettimeofday),
               SCMP_SYS(time),
               SCMP_SYS(getrandom),
               SCMP_SYS(nanosleep),
               SCMP_SYS(clock_nanosleep),
               SCMP_SYS(sched_yield),
               SCMP_SYS(sched_getaffinity),
               SCMP_SYS(getcpu),
               SCMP_SYS(sysinfo),
               SCMP_SYS(getrusage),
               SCMP_SYS(times),
               SCMP_SYS(set_robust_list),
               SCMP_SYS(rseq),
               SCMP_SYS(restart_syscall),
               SCMP_SYS(getrlimit)});
  if (with_threads) rules.allow_if(SCMP_SYS(clone), {equals(0, kThreadFlags)});
  rules.fail({SCMP_SYS(clone3)}, ENOSYS);  // the C library then uses clone
  rules.allow_if(SCMP_SYS(prlimit64), {equals(0, 0), equals(2, 0)});
  // abort() and raise() send signals to the own process. Nobody else gets any: without namespaces
  // the zygote and other processes of the user are within reach.
  rules.allow_if(SCMP_SYS(tgkill), {equals(0, kOwnProcessId)});
  // Every handler may be replaced but that of SIGSYS, which reports refused calls. 32 and 33 belong
  // to the C library's threads.
  static_assert(SIGSYS == 31);
  rules.allow_if(SCMP_SYS(rt_sigaction), {at_most(0, SIGSYS - 1)});
  rules.allow_if(SCMP_SYS(rt_sigaction), {equals(0, 32)});
  rules.allow_if(SCMP_SYS(rt_sigaction), {equals(0, 33)});
}

/// Calls that fail without ending the process: a forgotten log file must not cost the verdict.
void add_refusals(Rules& rules) {
  rules.fail({SCMP_SYS(open),      SCMP_SYS(openat2),    SCMP_SYS(creat),      SCMP_SYS(access),
              SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(stat),       SCMP_SYS(lstat),
              SCMP_SYS(statx),     SCMP_SYS(readlink),   SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
              SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),    SCMP_SYS(unlink),     SCMP_SYS(unlinkat),
              SCMP_SYS(rename),    SCMP_SYS(renameat),   SCMP_SYS(renameat2),  SCMP_SYS(fsync),
              SCMP_SYS(fdatasync), SCMP_SYS(fcntl),      SCMP_SYS(ftruncate)},
             EACCES);
  rules.fail({SCMP_SYS(ioctl)}, ENOTTY);
  rules.fail({SCMP_SYS(sched_setaffinity), SCMP_SYS(setpriority), SCMP_SYS(mlock)}, EPERM);
  rules.allow_if(SCMP_SYS(prctl), {equals(0, kPrctlSetName)});
}

std::vector<sock_filter> compile(Phase phase, bool with_threads) {
  Rules rules;
  add_computing(rules, with_threads);
  add_refusals(rules);
  if (phase == Phase::loading) {
    rules.allow({SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(pread64), SCMP_SYS(newfstatat)});
    // Libraries are opened for reading; every other way to open a file fails.
    constexpr std::uint64_t kWriting = O_WRONLY | O_RDWR | O_CREAT;
    rules.allow_if(SCMP_SYS(openat), {masked_equals(2, kWriting, 0)});
    for (std::uint64_t access = 0; access <= (O_WRONLY | O_RDWR); ++access) {
      for (const std::uint64_t create : {std::uint64_t{0}, std::uint64_t{O_CREAT}}) {
        if ((access | create) != 0) {
          rules.fail_if(SCMP_SYS(openat), EACCES, {masked_equals(2, kWriting, access | create)});
        }
      }
    }
    rules.allow_if(SCMP_SYS(seccomp), {equals(0, SECCOMP_SET_MODE_FILTER)});
  } else {
    // No file is opened, no code is made or loaded, no filter is added once the submission runs.
    rules.allow_if(SCMP_SYS(mmap), {masked_equals(2, PROT_EXEC, 0)});
    rules.allow_if(SCMP_SYS(mprotect), {masked_equals(2, PROT_EXEC, 0)});
    rules.fail({SCMP_SYS(openat)}, EACCES);
    // fstat() of the C library is this call with an empty path.
    rules.allow_if(SCMP_SYS(newfstatat), {equals(3, AT_EMPTY_PATH)});
    rules.fail_if(SCMP_SYS(newfstatat), EACCES, {differs(3, AT_EMPTY_PATH)});
  }
  return rules.compile();
}

}  // namespace

const Filters& filters(bool with_threads) {
  const auto built = [with_threads] {
    return Filters{compile(Phase::loading, with_threads), compile(Phase::serving, with_threads)};
  };
  if (with_threads) {
    static const Filters threaded = built();
    return threaded;
  }
  static const Filters alone = built();
  return alone;
}

std::string system_call_name(std::uint32_t number) {
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number)), &std::free);
  return name ? std::string(name.get()) : std::string();
}

}  // namespace grader::host
