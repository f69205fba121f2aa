#include "grader/sandbox/box.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "grader/base/fault.hpp"
#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

using Strings = std::vector<std::string>;

// Numbers of the descriptors that bwrap gets besides the standard three.
constexpr int kStatusDescriptor = 10;
constexpr int kBlockDescriptor = 11;
constexpr std::int64_t kLargestScratch = std::int64_t{256} << 20;

void append(Strings& arguments, const Strings& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

/// bwrap follows links while it makes the place for a mount, so that a mount below a directory
/// which a submission could have filled may write outside the box (CVE-2026-87766). Never do that.
void refuse_nested_mounts(const std::vector<Mount>& mounts) {
  for (const Mount& outer : mounts) {
    for (const Mount& inner : mounts) {
      const auto relative =
          inner.target.lexically_normal().lexically_relative(outer.target.lexically_normal());
      if (&outer != &inner && !relative.empty() && *relative.begin() != "..") {
        throw InternalFault("box: mount target " + inner.target.string() + " lies within " +
                            outer.target.string());
      }
    }
  }
}

Strings bwrap_arguments(const Bubblewrap& bwrap, const BoxCommand& command) {
  Strings arguments = {bwrap.program};
  append(arguments, namespace_arguments(bwrap));
  append(arguments, {"--json-status-fd", std::to_string(kStatusDescriptor), "--block-fd",
                     std::to_string(kBlockDescriptor)});
  append(arguments, toolchain_arguments());
  const std::int64_t scratch =
      std::clamp<std::int64_t>(command.limits.file_size * 2, 1 << 20, kLargestScratch);
  append(arguments, {"--dev-bind", "/dev/null", "/dev/null", "--size", std::to_string(scratch),
                     "--tmpfs", "/tmp"});
  for (const Mount& mount : command.mounts) {
    append(arguments,
           {mount.writable ? "--bind" : "--ro-bind", mount.source.string(), mount.target.string()});
  }
  // What bwrap made of the root directory itself is writable until here.
  append(arguments, {"--remount-ro", "/", "--chdir", command.directory.string()});
  for (const std::string& variable : command.environment) {
    const std::size_t split = variable.find('=');
    if (split == std::string::npos) {
      throw InternalFault("box: environment entry without '='");
    }
    append(arguments, {"--setenv", variable.substr(0, split), variable.substr(split + 1)});
  }
  arguments.emplace_back("--");
  append(arguments, command.arguments);
  return arguments;
}

std::vector<ResourceLimit> resource_limits(const BoxLimits& limits) {
  const auto seconds = static_cast<rlim_t>((limits.cpu_ms + 999) / 1000);
  const auto memory = static_cast<rlim_t>(limits.memory);
  const auto file_size = static_cast<rlim_t>(limits.file_size);
  constexpr rlim_t kStack = rlim_t{64} << 20;
  return {{RLIMIT_CPU, seconds, seconds + 1},
          {RLIMIT_AS, memory, memory},
          {RLIMIT_FSIZE, file_size, file_size},
          {RLIMIT_STACK, kStack, kStack},
          {RLIMIT_NOFILE, 256, 256},
          {RLIMIT_CORE, 0, 0},
          {RLIMIT_MSGQUEUE, 0, 0},
          {RLIMIT_MEMLOCK, 0, 0}};
}

/// A box that is being made, running, and ended. Output and status are drained whatever happens.
class RunningBox {
 public:
  RunningBox(const Bubblewrap& bwrap, const BoxCommand& command)
      : limits_(command.limits),
        started_(Clock::now()),
        deadline_(started_ + std::chrono::milliseconds(command.limits.wall_ms)),
        cgroup_(
            Cgroup::create(command.limits.memory + kLargestScratch, command.limits.processes + 2)) {
    auto [output_read, output_write] = make_pipe();
    auto [status_read, status_write] = make_pipe();
    auto [block_read, block_write] = make_pipe();
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing) {
      throw_system_error("open /dev/null");
    }
    SpawnOptions options;
    options.arguments = bwrap_arguments(bwrap, command);
    options.limits = resource_limits(command.limits);
    options.descriptors = {{nothing.get(), 0},
                           {output_write.get(), 1},
                           {output_write.get(), 2},
                           {status_write.get(), kStatusDescriptor},
                           {block_read.get(), kBlockDescriptor}};
    if (cgroup_) {
      options.cgroups = cgroup_->directories();
    }
    process_ = Process::spawn(options);
    output_ = std::move(output_read);
    status_ = std::move(status_read);
    block_ = std::move(block_write);
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(status_.get(), F_SETFL, O_NONBLOCK);
  }
  ~RunningBox() {
    if (process_.running()) {
      kill_first_process();
      process_.await_end(std::chrono::seconds(5));
    }
  }
  RunningBox(const RunningBox&) = delete;
  RunningBox& operator=(const RunningBox&) = delete;

  BoxResult run() {
    wait_for_first_process();
    limit_processes();
    block_.reset();  // lets the command start
    while (process_.running()) {
      if (milliseconds_until(deadline_) == 0) {
        result_.wall_exceeded = true;
        break;
      }
      wait_and_drain();
    }
    end();
    interpret_end();
    return std::move(result_);
  }

 private:
  /// Waits until bwrap has told the id of the box's first process.
  void wait_for_first_process() {
    const std::string key = "\"child-pid\":";
    for (;;) {
      const std::size_t place = status_text_.find(key);
      if (place != std::string::npos &&
          status_text_.find_first_of(",}", place) != std::string::npos) {
        const auto pid = static_cast<pid_t>(std::atol(status_text_.c_str() + place + key.size()));
        first_process_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)));
        first_pid_ = pid;
        return;
      }
      if (!process_.running() || milliseconds_until(deadline_) == 0) {
        end();
        throw_box_failure();
      }
      wait_and_drain();
    }
  }

  /// The limit on processes counts only those of the box: it is set after the box has a user
  /// namespace of its own, so that a user with many processes elsewhere can grade as well.
  void limit_processes() const {
    if (!process_limit_counts_box(bubblewrap())) {
      return;
    }
    const auto count = static_cast<rlim_t>(limits_.processes + 2);
    const rlimit limit{count, count};
    if (first_process_ && ::prlimit(first_pid_, RLIMIT_NPROC, &limit, nullptr) != 0 &&
        errno != ESRCH) {
      throw_system_error("limit the processes of the box");
    }
  }

  void wait_and_drain() {
    pollfd watched[3] = {{process_.descriptor(), POLLIN, 0},
                         {output_open_ ? output_.get() : -1, POLLIN, 0},
                         {status_open_ ? status_.get() : -1, POLLIN, 0}};
    ::poll(watched, 3, milliseconds_until(deadline_));
    drain();
    process_.wait_until(Clock::now());
  }

  void drain() {
    char buffer[16384];
    while (output_open_) {
      const ssize_t count = ::read(output_.get(), buffer, sizeof buffer);
      if (count <= 0) {
        output_open_ = count < 0 && (errno == EAGAIN || errno == EINTR);
        break;
      }
      const std::size_t room = static_cast<std::size_t>(limits_.output) - result_.output.size();
      const std::size_t kept = std::min(static_cast<std::size_t>(count), room);
      result_.output.append(buffer, kept);
      result_.output_cut = result_.output_cut || kept < static_cast<std::size_t>(count);
      if (result_.output_cut && milliseconds_until(deadline_) == 0) {
        break;  // a flood must not keep us beyond the deadline
      }
    }
    while (status_open_) {
      const ssize_t count = ::read(status_.get(), buffer, sizeof buffer);
      if (count <= 0) {
        status_open_ = count < 0 && (errno == EAGAIN || errno == EINTR);
        break;
      }
      status_text_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  /// Ends the whole tree: with the first process of its namespace all others die, and bwrap's outer
  /// process sees that and ends too, so that no orphan is left.
  void end() {
    if (process_.running()) {
      if (first_process_) {
        kill_first_process();
        process_.wait_until(Clock::now() + std::chrono::seconds(5));
      }
      process_.kill();
      process_.wait_until(Clock::now() + std::chrono::seconds(5));
    }
    drain();
  }

  void kill_first_process() const {
    if (first_process_) {
      ::syscall(SYS_pidfd_send_signal, first_process_.get(), SIGKILL, nullptr, 0U);
    }
  }

  void interpret_end() {
    result_.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    const auto end = process_.wait_until(Clock::now());
    if (!end) {
      throw EnvironmentFault("a process of the sandbox could not be ended",
                             "Look for a process that hangs in the kernel (state D), then retry.");
    }
    result_.cpu_seconds = end->cpu_seconds;
    const bool limit_used = end->cpu_seconds * 1000 >= static_cast<double>(limits_.cpu_ms);
    if (result_.wall_exceeded) {
      result_.signal = SIGKILL;
      result_.cpu_exceeded = limit_used;
      return;
    }
    // bwrap reports an exit code only if the box was made and the command was about to start.
    if (status_text_.find("\"exit-code\"") == std::string::npos) {
      throw_box_failure();
    }
    // bwrap passes on a signal as 128 + signal, as shells do.
    const int code = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : 128 + SIGKILL;
    if (code > 128 && code <= 128 + 64) {
      result_.signal = code - 128;
    } else {
      result_.exit_code = code;
    }
    result_.cpu_exceeded = code != 0 && (limit_used || result_.signal == SIGXCPU);
  }

  [[noreturn]] void throw_box_failure() {
    throw EnvironmentFault("the sandbox could not be made: " + result_.output,
                           "Run `attention-grader doctor` to see what this machine lacks.");
  }

  BoxLimits limits_;
  Clock::time_point started_;
  Clock::time_point deadline_;
  std::optional<Cgroup> cgroup_;  // outlives the process
  Process process_;
  Descriptor output_;
  Descriptor status_;
  Descriptor block_;
  Descriptor first_process_;
  pid_t first_pid_ = -1;
  bool output_open_ = true;
  bool status_open_ = true;
  std::string status_text_;
  BoxResult result_;
};

}  // namespace

BoxResult run_in_box(const BoxCommand& command) {
  if (command.arguments.empty()) {
    throw InternalFault("box: no command");
  }
  refuse_nested_mounts(command.mounts);
  return RunningBox(require_bubblewrap(), command).run();
}

}  // namespace grader
