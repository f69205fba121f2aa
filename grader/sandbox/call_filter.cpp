#include "grader/sandbox/call_filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "grader/base/fault.hpp"
#include "grader/sandbox/descriptor.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

// By name: a C library of some years ago does not know the numbers of all.
constexpr const char* kRefused[] = {
    // network, and what is reached by sockets
    "socket", "socketpair", "socketcall",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "kcmp", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setsid",
    "setpgid", "move_pages", "migrate_pages",
    // namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at",
    "open_by_handle_at",
    // objects that are the machine's, not the process's
    "add_key", "request_key", "keyctl", "shmget", "shmat", "shmctl", "semget", "semop", "semctl",
    "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "fanotify_init",
    "quotactl", "quotactl_fd", "acct", "swapon", "swapoff",
    // large parts of the kernel
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "vmsplice", "lookup_dcookie", "memfd_secret",
    // the machine itself
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname",
    "iopl", "ioperm", "syslog", "vhangup"};

using Context = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

void refuse(const Context& context, int call, unsigned error,
            std::initializer_list<scmp_arg_cmp> conditions = {}) {
  const int result =
      seccomp_rule_add_array(context.get(), SCMP_ACT_ERRNO(error), call,
                             static_cast<unsigned>(conditions.size()), conditions.begin());
  if (result != 0) {
    throw InternalFault("a rule for system calls was refused: error " + std::to_string(-result));
  }
}

std::vector<sock_filter> exported(const Context& context) {
  const Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
  if (!file || seccomp_export_bpf(context.get(), file.get()) != 0) {
    throw_system_error("compile the filter of system calls");
  }
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size) {
    throw_system_error("read the compiled filter of system calls");
  }
  return program;
}

std::vector<sock_filter> compile() {
  const Context context(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (!context ||
      seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0) {
    throw EnvironmentFault("seccomp filters cannot be built here",
                           "Use a Linux kernel with seccomp on x86-64.");
  }
  for (const char* name : kRefused) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) {  // below: not a call of this architecture, or of no kernel known here
      refuse(context, call, EPERM);
    }
  }
  refuse(context, SCMP_SYS(clone3), ENOSYS);  // its flags are out of sight; clone is tried next
  for (const std::uint64_t flag :
       {std::uint64_t{CLONE_NEWUSER}, std::uint64_t{CLONE_NEWPID}, std::uint64_t{CLONE_NEWNET},
        std::uint64_t{CLONE_NEWNS}, std::uint64_t{CLONE_NEWIPC}, std::uint64_t{CLONE_NEWUTS},
        std::uint64_t{CLONE_NEWCGROUP}}) {
    refuse(context, SCMP_SYS(clone), EPERM, {{0, SCMP_CMP_MASKED_EQ, flag, flag}});
  }
  // The kernel looks at the low half of these arguments only, and so must the comparison.
  constexpr std::uint64_t kLowHalf = 0xffffffffU;
  // Signals to whole groups, by 0 and negative numbers: what holds a box is in its group, too.
  constexpr std::uint64_t kNegative = 0x80000000U;
  refuse(context, SCMP_SYS(kill), EPERM, {{0, SCMP_CMP_MASKED_EQ, kLowHalf, 0}});
  refuse(context, SCMP_SYS(kill), EPERM, {{0, SCMP_CMP_MASKED_EQ, kNegative, kNegative}});
  constexpr std::uint64_t kTiocLinux = 0x541C;
  refuse(context, SCMP_SYS(ioctl), EPERM, {{1, SCMP_CMP_MASKED_EQ, kLowHalf, TIOCSTI}});
  refuse(context, SCMP_SYS(ioctl), EPERM, {{1, SCMP_CMP_MASKED_EQ, kLowHalf, kTiocLinux}});
  return exported(context);
}

}  // namespace

const std::vector<sock_filter>& toolchain_filter() {
  static const std::vector<sock_filter> program = compile();
  return program;
}

}  // namespace grader
