// attention-grader-host: the process inside the box. It starts as the zygote, which never has a
// submission in its memory; each child that it forks loads the submission behind a filter of system
// calls and answers calls until it ends.
//
// The zygote holds the only channel that is believed (the socket). A child closes it before the
// submission is loaded. Everything here works on memory that exists already: no allocation, little
// to copy when forking.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "grader/channel/dispatch.hpp"
#include "grader/channel/wire.hpp"
#include "grader/host/protocol.hpp"

namespace grader::host {
namespace {

Control* control = nullptr;
const unsigned char* input = nullptr;
unsigned char* output = nullptr;
Setup setup{};
FilterHead filter_head{};
sock_filter filter_instructions[2 * kMostFilterInstructions];

// Zygote and child

void wake(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// Child

/// Runs when the kernel refuses a system call: notes which, then makes a call that is refused as
/// well. SIGSYS is blocked here, so that the second refusal ends the process whatever else the
/// submission may have set up.
void report_forbidden_call(int /*signal*/, siginfo_t* information, void* /*context*/) {
  control->forbidden_call.store(static_cast<std::uint32_t>(information->si_syscall) + 1);
  ::syscall(SYS_getppid);
  ::_exit(1);
}

bool set_limit(__rlimit_resource resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit limit{soft, hard};
  return ::setrlimit(resource, &limit) == 0;
}

/// Puts this process's id into the filters, in this process's copy of them.
void enter_own_process_id() {
  const auto own = static_cast<std::uint32_t>(::getpid());
  for (std::uint32_t index = 0; index < filter_head.loading + filter_head.serving; ++index) {
    sock_filter& instruction = filter_instructions[index];
    if (instruction.code == (BPF_JMP | BPF_JEQ | BPF_K) && instruction.k == kOwnProcessId) {
      instruction.k = own;
    }
  }
}

bool install_filter(const sock_filter* instructions, std::uint32_t count, unsigned long flags) {
  if (count == 0) {
    return true;  // the grader was told to do without
  }
  sock_fprog program{};
  program.len = static_cast<unsigned short>(count);
  program.filter = const_cast<sock_filter*>(instructions);
  // Without SPEC_ALLOW older kernels slow the process down with mitigations that it does not need.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

/// Closes all but the standard three and what the submission is loaded from.
void close_descriptors() {
  const int kept = setup.submission_descriptor;
  const auto first = static_cast<unsigned>(std::max(kept, 2)) + 1;
  if ((first == 3 || ::syscall(SYS_close_range, 3U, first - 2, 0U) == 0) &&
      ::syscall(SYS_close_range, first, ~0U, 0U) == 0) {
    return;
  }
  for (int number = 3; number < 1024; ++number) {
    if (number != kept) {
      ::close(number);
    }
  }
}

/// Gives up everything but computing. Nothing of a submission is in memory yet.
bool confine(std::uint32_t cpu_seconds) {
  close_descriptors();
  enter_own_process_id();
  struct sigaction action {};
  action.sa_sigaction = &report_forbidden_call;
  action.sa_flags = SA_SIGINFO;
  return ::sigaction(SIGSYS, &action, nullptr) == 0 &&
         set_limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1) &&
         set_limit(RLIMIT_STACK, setup.stack, setup.stack) && set_limit(RLIMIT_CORE, 0, 0) &&
         set_limit(RLIMIT_FSIZE, 0, 0) && set_limit(RLIMIT_MSGQUEUE, 0, 0) &&
         set_limit(RLIMIT_MEMLOCK, 0, 0) && set_limit(RLIMIT_NOFILE, 16, 16) &&
         (setup.processes == kNoLimit ||
          set_limit(RLIMIT_NPROC, setup.processes, setup.processes)) &&
         set_limit(RLIMIT_AS, setup.address_space, setup.address_space) &&
         ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         install_filter(filter_instructions, filter_head.loading, 0);
}

/// Why the submission could not be loaded; empty when it could.
char load_failure[wire::kLongestMessage];

void set_load_failure(const char* reason) {
  std::snprintf(load_failure, sizeof load_failure, "the submission could not be loaded: %s",
                reason != nullptr ? reason : "unknown reason");
}

std::uint64_t answer_load_failure() {
  wire::Writer writer(output, setup.output_capacity);
  writer.number(static_cast<std::uint8_t>(wire::Answer::threw));
  writer.message(load_failure, std::strlen(load_failure));
  return writer.size();
}

/// Answers every call after number `served`, until the child is ended from outside.
[[noreturn]] void answer_calls(std::uint32_t served, DispatchFunction dispatch) {
  if (setup.submission_descriptor >= 0) {
    ::close(setup.submission_descriptor);
  }
  // TSYNC: threads that the submission started while it was loaded get the stricter filter too.
  if (!install_filter(filter_instructions + filter_head.loading, filter_head.serving,
                      SECCOMP_FILTER_FLAG_TSYNC)) {
    ::_exit(1);
  }
  control->loaded.store(1);
  for (;;) {
    std::uint32_t number = control->request.load(std::memory_order_acquire);
    while (number == served) {
      ::syscall(SYS_futex, &control->request, FUTEX_WAIT, served, nullptr, nullptr, 0);
      number = control->request.load(std::memory_order_acquire);
    }
    std::uint64_t size = 0;
    if (load_failure[0] != '\0') {
      size = answer_load_failure();
    } else {
      size =
          dispatch(control->function, input, control->request_size, output, setup.output_capacity);
      std::fflush(stdout);  // what it printed comes out even if the process is ended later
    }
    control->response_size = size;
    served = number;
    control->answer.store(number, std::memory_order_release);
    wake(control->answer);
  }
}

std::uint32_t served_before_loading = 0;

/// Runs when an exception leaves a static initialiser: tells its text instead of aborting.
[[noreturn]] void answer_with_exception_of_initialiser() {
  try {
    if (const std::exception_ptr exception = std::current_exception()) {
      std::rethrow_exception(exception);
    }
    set_load_failure("std::terminate was called");
  } catch (const std::exception& error) {
    set_load_failure(error.what());
  } catch (...) {
    set_load_failure("a static initialiser threw something that is not a std::exception");
  }
  answer_calls(served_before_loading, nullptr);
}

pid_t zygote = 0;

[[noreturn]] void serve(const Start& start) {
  // Where no namespace ends with the zygote, the child does by itself.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != zygote) {
    ::_exit(1);
  }
  if (!confine(start.cpu_seconds)) {
    ::_exit(1);
  }
  served_before_loading = start.served;
  const std::terminate_handler usual = std::set_terminate(&answer_with_exception_of_initialiser);
  DispatchFunction dispatch = nullptr;
  void* library = ::dlopen(setup.submission_path, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) {
    dispatch = reinterpret_cast<DispatchFunction>(::dlsym(library, "attention_grader_dispatch"));
  }
  if (dispatch == nullptr) {
    set_load_failure(::dlerror());
  }
  if (std::get_terminate() == &answer_with_exception_of_initialiser) {
    std::set_terminate(usual);  // from here on terminating is a crash like any other
  }
  answer_calls(start.served, dispatch);
}

// Zygote

bool receive(void* message, std::size_t size) {
  ssize_t count = 0;
  do {
    count = ::recv(kSocketDescriptor, message, size, 0);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(size);
}

/// Sends `message` with a pidfd of `process`, unless that is 0.
bool send_with_pidfd(const void* message, std::size_t size, pid_t process) {
  iovec part{const_cast<void*>(message), size};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  int descriptor = -1;
  if (process != 0) {
    descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0U));
    if (descriptor < 0) {
      return false;
    }
    head.msg_control = space;
    head.msg_controllen = sizeof space;
    cmsghdr* attachment = CMSG_FIRSTHDR(&head);
    attachment->cmsg_level = SOL_SOCKET;
    attachment->cmsg_type = SCM_RIGHTS;
    attachment->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attachment), &descriptor, sizeof descriptor);
  }
  const bool sent = ::sendmsg(kSocketDescriptor, &head, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  return sent;
}

/// Maps the shared memory and reads the filters. Returns what failed, or nullptr.
const char* prepare() {
  if (!receive(&setup, sizeof setup)) {
    return "receive the setup";
  }
  zygote = ::getpid();
  setup.submission_path[sizeof setup.submission_path - 1] = '\0';
  void* control_page =
      ::mmap(nullptr, kControlSize, PROT_READ | PROT_WRITE, MAP_SHARED, kControlDescriptor, 0);
  void* input_pages =
      ::mmap(nullptr, setup.input_capacity, PROT_READ, MAP_SHARED, kInputDescriptor, 0);
  void* output_pages = ::mmap(nullptr, setup.output_capacity, PROT_READ | PROT_WRITE, MAP_SHARED,
                              kOutputDescriptor, 0);
  if (control_page == MAP_FAILED || input_pages == MAP_FAILED || output_pages == MAP_FAILED) {
    return "map the shared memory";
  }
  control = static_cast<Control*>(control_page);
  input = static_cast<const unsigned char*>(input_pages);
  output = static_cast<unsigned char*>(output_pages);
  if (::pread(kFiltersDescriptor, &filter_head, sizeof filter_head, 0) !=
          static_cast<ssize_t>(sizeof filter_head) ||
      filter_head.loading > kMostFilterInstructions ||
      filter_head.serving > kMostFilterInstructions) {
    return "read the filters";
  }
  const std::size_t size =
      (std::size_t{filter_head.loading} + filter_head.serving) * sizeof(sock_filter);
  if (::pread(kFiltersDescriptor, filter_instructions, size, sizeof filter_head) !=
      static_cast<ssize_t>(size)) {
    return "read the filters";
  }
  return nullptr;
}

/// Confines a child that loads nothing. After this has worked once, a child that ends early does so
/// because of its submission.
const char* rehearse() {
  constexpr int kNotReadable = 2;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool confined = confine(1);
    const bool readable = confined && ::open(setup.submission_path, O_RDONLY | O_CLOEXEC) >= 0;
    const bool filtered =
        readable && install_filter(filter_instructions + filter_head.loading, filter_head.serving,
                                   SECCOMP_FILTER_FLAG_TSYNC);
    ::_exit(filtered ? 0 : confined && !readable ? kNotReadable : 1);
  }
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child) {
    return "start a process";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotReadable) {
    return "open the submission";
  }
  if (status != 0) {
    return "confine a process with resource limits and seccomp";
  }
  return nullptr;
}

/// Forks one child and stays with it until it has ended. False when the grader is gone.
bool run_child(const Start& start) {
  control->loaded.store(0);
  control->forbidden_call.store(0);
  const pid_t child = ::fork();
  if (child == 0) {
    serve(start);
  }
  const Started started{start.child, child < 0 ? errno : 0};
  if (!send_with_pidfd(&started, sizeof started, std::max(child, 0))) {
    return false;
  }
  if (child < 0) {
    return true;
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      return false;
    }
  }
  const auto microseconds = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
  };
  const Ended ended{start.child, status,
                    microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
                    static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  if (!send_with_pidfd(&ended, sizeof ended, 0)) {
    return false;
  }
  control->ended.store(start.child);
  control->answer.fetch_or(kDeath);
  wake(control->answer);
  return true;
}

int run_zygote() {
  // The zygote outlives nobody: the box ends with the launcher, which ends with the grader.
  Ready ready{};
  const char* failed_step = prepare();
  if (failed_step == nullptr) {
    failed_step = rehearse();
  }
  if (failed_step != nullptr) {
    ready.error = errno != 0 ? errno : EPROTO;
    std::snprintf(ready.step, sizeof ready.step, "%s", failed_step);
  }
  if (!send_with_pidfd(&ready, sizeof ready, ::getpid()) || failed_step != nullptr) {
    return 1;
  }
  Start start{};
  while (receive(&start, sizeof start)) {
    if (!run_child(start)) {
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace grader::host

int main() { return grader::host::run_zygote(); }
