// A shared object that stands in for a hostile submission: each probe tries one way out of the
// sandbox and tells whether it succeeded. Harmless where it does: nothing is changed that would
// outlive the process, except an empty file in a directory that should not be writable.
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "grader/channel/dispatch_table.hpp"
#include "grader/host/escape_list.hpp"

namespace {

constexpr std::uintptr_t kPage = 4096;
const unsigned char* arguments_from_grader = nullptr;

bool opens(const char* path, int flags) {
  const int descriptor = ::open(path, flags, 0600);
  if (descriptor >= 0 && (flags & O_CREAT) != 0) {
    ::unlink(path);
  }
  return descriptor >= 0;
}

bool makes_socket(int family, int type) { return ::socket(family, type, 0) >= 0; }

bool lists_root() { return ::opendir("/") != nullptr; }

bool reads_memory_of_first_process() {
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{const_cast<unsigned char*>(arguments_from_grader), 1};
  return ::process_vm_readv(1, &here, 1, &there, 1, 0) == 1;
}

bool limits_first_process() {
  rlimit limit{};
  return ::prlimit(1, RLIMIT_NOFILE, nullptr, &limit) == 0 &&
         ::prlimit(1, RLIMIT_NOFILE, &limit, nullptr) == 0;
}

bool lifts_limits() {
  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
  return ::setrlimit(RLIMIT_CPU, &unlimited) == 0;
}

bool forks() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(0);
  }
  return child > 0;
}

bool starts_shell() {
  const pid_t child = ::vfork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", "true", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

bool starts_many_threads() {
  std::vector<std::thread> threads;
  bool all = true;
  try {
    for (int count = 0; count < 1000; ++count) {
      threads.emplace_back([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
    }
  } catch (const std::system_error&) {
    all = false;
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return all;
}

bool uses_io_uring() {
  std::array<char, 256> parameters{};
  return ::syscall(SYS_io_uring_setup, 1, parameters.data()) >= 0;
}

bool loads_kernel_program() {
  std::array<std::uint32_t, 32> attributes{1 /* hash map */, 4, 4, 1};
  return ::syscall(SYS_bpf, 0 /* create a map */, attributes.data(), sizeof attributes) >= 0;
}

bool uses_keys() {
  return ::syscall(SYS_add_key, "user", "attention-grader-probe", "x", 1, -1 /* this thread */) >=
         0;
}

bool counts_performance() {
  std::array<std::uint32_t, 32> attributes{1 /* software event */, 128};
  return ::syscall(SYS_perf_event_open, attributes.data(), 0, -1, -1, 0) >= 0;
}

bool makes_executable_memory() {
  return ::mmap(nullptr, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
         MAP_FAILED;
}

void* page_of(const void* place) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the start of a page is only known as a number
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(place) & ~(kPage - 1));
}

bool makes_code_writable() {
  return ::mprotect(page_of(reinterpret_cast<const void*>(&page_of)), kPage,
                    PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

bool writes_arguments() {
  return ::mprotect(page_of(arguments_from_grader), kPage, PROT_READ | PROT_WRITE) == 0;
}

bool finds_open_descriptors() {
  for (int number = 3; number < 1024; ++number) {
    if (::lseek(number, 0, SEEK_CUR) >= 0 || errno != EBADF) {
      return true;
    }
  }
  return false;
}

bool sets_timer() {
  timer_t timer{};
  sigevent event{};
  event.sigev_notify = SIGEV_NONE;
  return ::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
}

bool replaces_filter() {
  sock_filter allow_all = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  sock_fprog program{1, &allow_all};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool types_into_terminal() {
  for (int number = 0; number < 3; ++number) {
    if (::ioctl(number, TIOCSTI, "") == 0) {
      return true;
    }
  }
  return false;
}

bool calls_as_32_bit() {
#ifdef __x86_64__
  long result = 20;  // getpid
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result > 0;
#else
  return false;
#endif
}

bool raises_priority() { return ::setpriority(PRIO_PROCESS, 0, -10) == 0; }

bool reads_name_of_machine() {
  char name[256];
  return ::gethostname(name, sizeof name) == 0;
}

using Probe = bool (*)();

constexpr std::array<Probe, grader::host::kEscapes.size()> kProbes = {
    [] { return opens("/etc/passwd", O_RDONLY); },
    [] { return opens("/submission.so", O_RDONLY); },
    lists_root,
    [] { return opens("/attention-grader-probe", O_CREAT | O_WRONLY); },
    [] { return opens("/tmp/attention-grader-probe", O_CREAT | O_WRONLY); },
    [] { return opens("/proc/1/mem", O_RDONLY); },
    reads_memory_of_first_process,
    [] { return ::ptrace(PTRACE_SEIZE, 1, nullptr, nullptr) == 0; },
    [] { return ::kill(1, 0) == 0; },
    [] { return ::kill(-1, 0) == 0; },
    limits_first_process,
    lifts_limits,
    [] { return makes_socket(AF_INET, SOCK_STREAM); },
    [] { return makes_socket(AF_UNIX, SOCK_STREAM); },
    [] { return makes_socket(AF_NETLINK, SOCK_RAW); },
    [] { return makes_socket(40 /* AF_VSOCK */, SOCK_STREAM); },
    forks,
    starts_shell,
    starts_many_threads,
    [] { return ::setuid(0) == 0; },
    [] { return ::unshare(CLONE_NEWUSER) == 0; },
    [] { return ::mount("none", "/", "tmpfs", 0, nullptr) == 0; },
    [] { return ::chroot("/") == 0; },
    uses_io_uring,
    loads_kernel_program,
    uses_keys,
    counts_performance,
    [] { return ::syscall(SYS_userfaultfd, 1 /* user mode only */) >= 0; },
    [] { return ::shmget(IPC_PRIVATE, kPage, IPC_CREAT | 0600) >= 0; },
    [] { return ::memfd_create("probe", 0) >= 0; },
    makes_executable_memory,
    makes_code_writable,
    writes_arguments,
    finds_open_descriptors,
    sets_timer,
    replaces_filter,
    types_into_terminal,
    calls_as_32_bit,
    raises_priority,
    reads_name_of_machine,
};

std::int64_t probe(std::int64_t number) {
  return kProbes.at(static_cast<std::size_t>(number))() ? 1 : 0;
}

}  // namespace

extern "C" std::size_t attention_grader_dispatch(std::uint32_t function,
                                                 const unsigned char* request,
                                                 std::size_t request_size, unsigned char* response,
                                                 std::size_t capacity) noexcept {
  arguments_from_grader = request;
  return grader::dispatch<&probe>(function, request, request_size, response, capacity);
}
