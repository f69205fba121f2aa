#include "grader/sandbox/transient_user.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

/// Binds an abstract socket name: at most one process has it, and it leaves no trace.
bool claim(int socket, uid_t user) {
  const std::string name = "attention-grader-user-" + std::to_string(user);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0) {
    return true;
  }
  if (errno != EADDRINUSE) {
    throw_system_error("claim a user for the sandbox");
  }
  return false;
}

/// Makes only system calls in `work`, in a process that is the user, and returns what it returns:
/// 0, or an errno.
template <class Work>
int run_as(uid_t user, const Work& work) {
  const pid_t child = ::vfork();
  if (child == 0) {
    // Raw calls, as in every vfork child of ours. Whoever could not become the user must do
    // nothing.
    if (::syscall(SYS_setgroups, 0, nullptr) != 0 ||
        ::syscall(SYS_setresgid, user, user, user) != 0 ||
        ::syscall(SYS_setresuid, user, user, user) != 0 ||
        static_cast<uid_t>(::syscall(SYS_getuid)) != user) {
      ::_exit(EPERM);
    }
    ::_exit(work());
  }
  if (child < 0) {
    return errno;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

}  // namespace

TransientUser::TransientUser() : claim_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (!claim_) {
    throw_system_error("claim a user for the sandbox");
  }
  // Another one each time: what ended as the last user may wait a while to be buried, and counts.
  static std::atomic<uid_t> count{0};
  const uid_t start = static_cast<uid_t>(::getpid()) * 16 + count++;
  for (uid_t step = 0; step < kTransientUsers; ++step) {
    id_ = kFirstTransientUser + (start + step) % kTransientUsers;
    if (claim(claim_.get(), id_)) {
      return;
    }
  }
  throw EnvironmentFault("no user is left for another sandbox",
                         "Grade fewer submissions at a time.");
}

TransientUser::~TransientUser() { end_processes(); }

void TransientUser::end_processes() const {
  run_as(id_, [] {
    // One pass reaches all: a process that is being signalled cannot fork past it. That others'
    // processes are refused does not show in the result. The second pass is for what the kernel
    // may still have been setting up as ours.
    ::kill(-1, SIGKILL);
    constexpr timespec kMillisecond{0, 1'000'000};
    ::nanosleep(&kMillisecond, nullptr);
    ::kill(-1, SIGKILL);
    return 0;
  });
}

bool TransientUser::limit(pid_t process, const ResourceLimit& limit) const {
  const rlimit wanted{limit.soft, limit.hard};
  errno = run_as(id_, [&] {
    const auto resource = static_cast<__rlimit_resource>(limit.resource);
    return ::prlimit(process, resource, &wanted, nullptr) == 0 ? 0 : errno;
  });
  return errno == 0;
}

}  // namespace grader
