#include "grader/sandbox/process.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

// Every machine has it, and bwrap makes its own there.
constexpr const char* kPrivatePlaces = "/tmp";

// Above every number that a caller passes on, below the usual limit of 1024.
constexpr int kFirstSpareDescriptor = 200;

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& text : strings) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

struct PrivatePlace {
  int source = -1;
  bool is_directory = false;
  std::string path;
};

/// Everything that the new process needs, allocated before it exists: between vfork and exec it
/// shares this process's memory and may only make system calls.
struct Preparation {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<PassedDescriptor> spares;  ///< `ours` becomes a spare number in the child
  std::vector<std::string> cgroup_files;
  std::vector<PrivatePlace> private_places;
  int directory = -1;
  int landlock_rules = -1;
  pid_t parent = 0;
};

/// Where starting failed.
struct SpawnFailure {
  const char* step = nullptr;
  int error = 0;
};

/// Moves a descriptor of ours out of the way of the numbers that the program gets.
bool move_away(int& descriptor) {
  if (descriptor >= 0) {
    descriptor = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstSpareDescriptor);
    return descriptor >= 0;
  }
  return true;
}

bool pass_descriptors(Preparation& preparation) {
  if (!move_away(preparation.directory) || !move_away(preparation.landlock_rules)) {
    return false;
  }
  for (PassedDescriptor& descriptor : preparation.spares) {
    descriptor.ours = ::fcntl(descriptor.ours, F_DUPFD_CLOEXEC, kFirstSpareDescriptor);
    if (descriptor.ours < 0) {
      return false;
    }
  }
  // CLOSE_RANGE_CLOEXEC is newer than some kernels that are still in use.
  constexpr unsigned kCloseOnExec = 4;
  if (::syscall(SYS_close_range, 3U, ~0U, kCloseOnExec) != 0) {
    for (int number = 3; number < 4096; ++number) {
      ::fcntl(number, F_SETFD, FD_CLOEXEC);
    }
  }
  for (const PassedDescriptor& descriptor : preparation.spares) {
    if (::dup2(descriptor.ours, descriptor.theirs) < 0) {
      return false;
    }
  }
  return true;
}

bool enter_cgroups(const Preparation& preparation) {
  for (const std::string& file : preparation.cgroup_files) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0 || ::write(descriptor, "0", 1) != 1) {
      return false;
    }
    ::close(descriptor);
  }
  return true;
}

/// Shows the private places in a mount namespace that ends with its processes. Their mounts are
/// copied before, since descriptors belong to the namespace they were opened in.
bool make_private_places(Preparation& preparation) {
  // Not in the headers of older C libraries; the numbers are the same on every architecture.
  constexpr long kOpenTree = 428;
  constexpr long kMoveMount = 429;
  constexpr unsigned kCopyMount = 1U;
  constexpr unsigned kFromEmptyPath = 4U;
  constexpr mode_t kMode = 0755;
  for (PrivatePlace& place : preparation.private_places) {
    place.source = static_cast<int>(
        ::syscall(kOpenTree, place.source, "", kCopyMount | AT_EMPTY_PATH | O_CLOEXEC));
    if (place.source < 0) {
      return false;
    }
  }
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("places", kPrivatePlaces, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0) {
    return false;
  }
  for (const PrivatePlace& place : preparation.private_places) {
    const char* path = place.path.c_str();
    const int made = place.is_directory ? ::mkdir(path, kMode) : ::mknod(path, S_IFREG | kMode, 0);
    if (made != 0 || ::syscall(kMoveMount, place.source, "", AT_FDCWD, path, kFromEmptyPath) != 0) {
      return false;
    }
  }
  return true;
}

// The raw calls: the library's wrappers would also change the parent's threads, whose memory a
// vfork child shares.
bool become(const Credentials& credentials) {
  return ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
         ::syscall(SYS_setresgid, credentials.group, credentials.group, credentials.group) == 0 &&
         ::syscall(SYS_setresuid, credentials.user, credentials.user, credentials.user) == 0;
}

/// Gives up rights to files and to system calls, for good.
bool confine(const Preparation& preparation, const SpawnOptions& options) {
  if (preparation.landlock_rules < 0 && options.filter == nullptr) {
    return true;
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return false;
  }
  constexpr long kRestrictSelf = 446;  // landlock_restrict_self, the same on every architecture
  if (preparation.landlock_rules >= 0 &&
      ::syscall(kRestrictSelf, preparation.landlock_rules, 0U) != 0) {
    return false;
  }
  if (options.filter == nullptr) {
    return true;
  }
  sock_fprog program{};
  program.len = static_cast<unsigned short>(options.filter->size());
  program.filter = const_cast<sock_filter*>(options.filter->data());
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

/// Some programs start others with SIGCHLD ignored; the kernel would then tell us of no child how
/// it ended.
void keep_ends_of_children() {
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
    std::signal(SIGCHLD, SIG_DFL);
  }
}

void reset_signals() {
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGXFSZ}) {
    std::signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Tells the watcher which group to end: this process's.
bool register_group(int watcher) {
  char line[16];
  const int size = std::snprintf(line, sizeof line, "%d\n", static_cast<int>(::getpgrp()));
  return ::write(watcher, line, static_cast<std::size_t>(size)) == size;
}

/// Runs in the new process; returns only when something failed.
SpawnFailure start(Preparation& preparation, const SpawnOptions& options) {
  reset_signals();
  ::umask(022);  // what a box makes is read by others: the grader, the next box
  if (!enter_cgroups(preparation)) {
    return {"enter its control group", errno};
  }
  if (options.own_session && ::setsid() < 0) {
    return {"leave our session", errno};
  }
  if (options.watcher >= 0 && !register_group(options.watcher)) {
    return {"be watched over", errno};
  }
  if (!preparation.private_places.empty() && !make_private_places(preparation)) {
    return {"make its mount namespace", errno};
  }
  if (!pass_descriptors(preparation)) {
    return {"take over its descriptors", errno};
  }
  for (const ResourceLimit& limit : options.limits) {
    // A limit that is already lower stays: only root could raise it.
    rlimit current{};
    rlimit wanted{limit.soft, limit.hard};
    if (::getrlimit(static_cast<__rlimit_resource>(limit.resource), &current) == 0 &&
        current.rlim_max < wanted.rlim_max) {
      wanted.rlim_max = current.rlim_max;
      wanted.rlim_cur = std::min(wanted.rlim_cur, wanted.rlim_max);
    }
    if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &wanted) != 0) {
      return {"set its resource limits", errno};
    }
  }
  if (preparation.directory >= 0 && ::fchdir(preparation.directory) != 0) {
    return {"enter its directory", errno};
  }
  if (options.credentials && !become(*options.credentials)) {
    return {"change its user", errno};
  }
  // After the change of user, which clears it.
  if (options.dies_with_us &&
      (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != preparation.parent)) {
    return {"tie its life to the grader's", errno};
  }
  if (options.fixed_addresses) {
    ::personality(ADDR_NO_RANDOMIZE);  // where it is refused, addresses differ, nothing else
  }
  if (!confine(preparation, options)) {
    return {"give up its rights", errno};
  }
  ::execve(preparation.arguments[0], preparation.arguments.data(), preparation.environment.data());
  return {"start the program", errno};
}

}  // namespace

void throw_system_error(const std::string& what) {
  const int error = errno;
  std::string hint = "Run `attention-grader doctor` to see what this machine lacks.";
  if (error == EMFILE || error == ENFILE) {
    hint = "Raise the limit on open files (`ulimit -n`).";
  } else if (error == ENOMEM || error == EAGAIN) {
    hint = "Free memory or processes, or grade fewer submissions at a time.";
  }
  throw EnvironmentFault("could not " + what + ": " + std::strerror(error), hint);
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, INT_MAX));
}

std::string private_place(std::size_t index) {
  return std::string(kPrivatePlaces) + "/" + std::to_string(index);
}

std::pair<Descriptor, Descriptor> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw_system_error("make a pipe");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Process::~Process() { end(); }

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    descriptor_ = std::move(other.descriptor_);
    end_ = std::exchange(other.end_, std::nullopt);
  }
  return *this;
}

void Process::await_end(std::chrono::milliseconds patience) const noexcept {
  if (running()) {
    pollfd watched{descriptor_.get(), POLLIN, 0};
    ::poll(&watched, 1, static_cast<int>(patience.count()));
  }
}

void Process::end() noexcept {
  if (running()) {
    kill();
    // Without a result nothing more can be done: then the process is not ours any more, or hangs in
    // the kernel, and ends when it can.
    await_end(std::chrono::seconds(10));
    ::waitpid(pid_, nullptr, WNOHANG);
    pid_ = -1;
  }
}

Process Process::spawn(const SpawnOptions& options) {
  keep_ends_of_children();
  Preparation preparation;
  preparation.arguments = pointers_to(options.arguments);
  preparation.environment = pointers_to(options.environment);
  preparation.spares = options.descriptors;
  Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) {
    throw_system_error("open /dev/null");
  }
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const auto passed = [&](const PassedDescriptor& item) { return item.theirs == standard; };
    if (std::none_of(options.descriptors.begin(), options.descriptors.end(), passed)) {
      preparation.spares.push_back({nothing.get(), standard});
    }
  }
  for (const std::string& directory : options.cgroups) {
    preparation.cgroup_files.push_back(directory + "/cgroup.procs");
  }
  for (const int source : options.private_places) {
    struct stat status {};
    if (::fstat(source, &status) != 0) {
      throw_system_error("examine a place for " + options.arguments.at(0));
    }
    preparation.private_places.push_back(
        {source, S_ISDIR(status.st_mode), private_place(preparation.private_places.size())});
  }
  preparation.directory = options.directory;
  preparation.landlock_rules = options.landlock_rules;
  preparation.parent = ::getpid();

  // The child runs in our memory until it has started the program or given up, so that the failure
  // is simply there afterwards, and so that a large grader costs nothing to fork.
  static thread_local SpawnFailure failure;
  failure = {};
  const pid_t pid = ::vfork();
  if (pid == 0) {
    failure = start(preparation, options);
    ::_exit(127);
  }
  if (pid < 0) {
    throw_system_error("start a process for " + options.arguments.at(0));
  }
  Process process;
  process.pid_ = pid;
  if (failure.step != nullptr) {
    ::waitpid(pid, nullptr, 0);
    process.pid_ = -1;
    errno = failure.error;
    throw_system_error("start " + options.arguments.at(0) + " (" + failure.step + ")");
  }
  process.descriptor_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)));
  if (!process.descriptor_) {
    throw_system_error("watch the process of " + options.arguments.at(0));
  }
  return process;
}

void Process::kill() {
  if (running()) {
    ::kill(pid_, SIGKILL);
  }
}

std::optional<ProcessEnd> Process::wait_until(Clock::time_point deadline) {
  while (!end_ && pid_ > 0) {
    int status = 0;
    rusage usage{};
    const pid_t waited = ::wait4(pid_, &status, WNOHANG, &usage);
    if (waited == pid_) {
      const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
      };
      end_ = ProcessEnd{status, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
      break;
    }
    if (waited < 0 && errno != EINTR) {
      throw_system_error("wait for a process");
    }
    const int left = milliseconds_until(deadline);
    if (left == 0) {
      break;
    }
    pollfd watched{descriptor_.get(), POLLIN, 0};
    ::poll(&watched, 1, left);
  }
  return end_;
}

std::optional<CommandOutput> ask_command(const std::vector<std::string>& arguments,
                                         std::chrono::milliseconds limit) {
  auto [read_end, write_end] = make_pipe();
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnOptions options;
  options.arguments = arguments;
  options.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  options.descriptors = {{nothing.get(), 0}, {write_end.get(), 1}, {write_end.get(), 2}};
  const Clock::time_point deadline = Clock::now() + limit;
  CommandOutput result;
  try {
    Process process = Process::spawn(options);
    write_end.reset();
    constexpr std::size_t kKept = 64 << 10;
    char buffer[4096];
    for (;;) {
      pollfd watched{read_end.get(), POLLIN, 0};
      const int left = milliseconds_until(deadline);
      const int ready = left == 0 ? 0 : ::poll(&watched, 1, left);
      if (ready < 0 && errno == EINTR) {
        continue;
      }
      if (ready <= 0) {
        return std::nullopt;
      }
      const ssize_t count = ::read(read_end.get(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        break;
      }
      result.output.append(buffer,
                           std::min(static_cast<std::size_t>(count), kKept - result.output.size()));
    }
    const auto end = process.wait_until(deadline);
    if (!end || !WIFEXITED(end->status)) {
      return std::nullopt;
    }
    result.exit_code = WEXITSTATUS(end->status);
    return result;
  } catch (const EnvironmentFault&) {
    return std::nullopt;  // absent or not executable: the caller asked whether it works
  }
}

}  // namespace grader
