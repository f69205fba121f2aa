// Starting, waiting for and ending a process of the grader: the one place that forks. Used for the
// compiler's box, for the host's launcher and for the probes.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/descriptor.hpp"

namespace grader {

using Clock = std::chrono::steady_clock;

/// A descriptor of ours and its number in the new process.
struct PassedDescriptor {
  int ours = -1;
  int theirs = -1;
};

struct ResourceLimit {
  int resource = 0;  ///< RLIMIT_…
  rlim_t soft = 0;
  rlim_t hard = 0;
};

/// User and group to become before the program starts. Only root can.
struct Credentials {
  uid_t user = 0;
  gid_t group = 0;
};

struct SpawnOptions {
  std::vector<std::string> arguments;    ///< argv; arguments[0] is an absolute path
  std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
  /// All that stays open. Of the standard three, those that are not named are /dev/null.
  std::vector<PassedDescriptor> descriptors;
  std::vector<ResourceLimit> limits;
  std::vector<std::string> cgroups;  ///< directories of control groups to enter
  std::optional<Credentials> credentials;
  /// What these descriptors (O_PATH suffices) refer to is found at private_place(0), (1), … in a
  /// mount namespace of the program's own, so that a user who may not walk to where it lies can
  /// use it. Only root can.
  std::vector<int> private_places;
  int directory = -1;        ///< descriptor of the working directory; -1: the same as ours
  bool own_session = false;  ///< away from our terminal, and leader of a process group of its own
  bool dies_with_us = true;
  int watcher = -1;         ///< Watcher::descriptor() of who ends its process group; -1: nobody
  int landlock_rules = -1;  ///< LandlockRules::descriptor() to be bound by; -1: none
  /// Filter of system calls from the start of the program on; must live until spawn() returns.
  const std::vector<sock_filter>* filter = nullptr;
  /// The program and its libraries lie at the same addresses each time, so that even a faulty
  /// program behaves the same on the same input.
  bool fixed_addresses = false;
};

/// How a process ended.
struct ProcessEnd {
  int status = 0;          ///< as waitpid gives it
  double cpu_seconds = 0;  ///< of the process and the descendants it waited for
};

/// A child process. It dies by SIGKILL with the thread that started it, and with this object.
class Process {
 public:
  Process() = default;
  ~Process();
  Process(Process&& other) noexcept { *this = std::move(other); }
  Process& operator=(Process&& other) noexcept;

  /// Starts a program. Throws EnvironmentFault when it cannot be started.
  static Process spawn(const SpawnOptions& options);

  [[nodiscard]] bool running() const { return pid_ > 0 && !end_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Becomes readable when the process has ended.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Sends SIGKILL; nothing happens if it has ended.
  void kill();
  /// Waits until the process has ended or `deadline` has passed; nothing in the latter case.
  std::optional<ProcessEnd> wait_until(Clock::time_point deadline);
  /// Gives it up to `patience` to end by itself, for destructors.
  void await_end(std::chrono::milliseconds patience) const noexcept;

 private:
  void end() noexcept;

  pid_t pid_ = -1;
  Descriptor descriptor_;
  std::optional<ProcessEnd> end_;
};

/// Two connected descriptors, closed on exec: {read end, write end}.
std::pair<Descriptor, Descriptor> make_pipe();

/// What a short command wrote to stdout and stderr, and its exit code, or nothing if it cannot be
/// started, was killed or took longer than `limit`. For asking trusted tools for their version.
struct CommandOutput {
  int exit_code = 0;
  std::string output;
};
std::optional<CommandOutput> ask_command(const std::vector<std::string>& arguments,
                                         std::chrono::milliseconds limit);

/// Where a program finds SpawnOptions::private_places.
std::string private_place(std::size_t index);

/// Milliseconds until `deadline`, at least 0, rounded up, for poll().
int milliseconds_until(Clock::time_point deadline);

/// EnvironmentFault for the system call or library call `what` that just failed with errno.
[[noreturn]] void throw_system_error(const std::string& what);

}  // namespace grader
