// Boxes by bwrap: all namespaces new, nothing of the machine's files but what is bound.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "grader/base/fault.hpp"
#include "grader/sandbox/box_places.hpp"
#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/build_user.hpp"
#include "grader/sandbox/call_filter.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/launcher.hpp"
#include "grader/sandbox/level.hpp"
#include "grader/sandbox/output_pipe.hpp"
#include "grader/sandbox/process.hpp"
#include "grader/sandbox/transient_user.hpp"

namespace grader {
namespace {

using Strings = std::vector<std::string>;

// Numbers of the descriptors that bwrap gets besides the standard three.
constexpr int kStatusDescriptor = 10;
constexpr int kBlockDescriptor = 11;
constexpr int kFilterDescriptor = 12;
constexpr std::int64_t kLargestScratch = std::int64_t{256} << 20;

void append(Strings& arguments, const Strings& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

void append_environment(Strings& arguments, const Strings& environment) {
  for (const std::string& variable : environment) {
    const std::size_t split = variable.find('=');
    if (split == std::string::npos) {
      throw InternalFault("box: environment entry without '='");
    }
    append(arguments, {"--setenv", variable.substr(0, split), variable.substr(split + 1)});
  }
}

/// `sources` are those of the command's mounts, in their order.
Strings bwrap_arguments(const Bubblewrap& bwrap, const BoxCommand& command,
                        const Strings& sources) {
  Strings arguments = {bwrap.program};
  append(arguments, namespace_arguments(bwrap));
  append(arguments, {"--json-status-fd", std::to_string(kStatusDescriptor), "--block-fd",
                     std::to_string(kBlockDescriptor)});
  if (layers().filter) {
    append(arguments, {"--seccomp", std::to_string(kFilterDescriptor)});
  }
  append(arguments, toolchain_arguments());
  const std::int64_t scratch =
      std::clamp<std::int64_t>(command.limits.file_size * 2, 1 << 20, kLargestScratch);
  append(arguments, {"--dev-bind", "/dev/null", "/dev/null", "--size", std::to_string(scratch),
                     "--tmpfs", "/tmp"});
  for (std::size_t index = 0; index < sources.size(); ++index) {
    const Mount& mount = command.mounts[index];
    append(arguments,
           {mount.writable ? "--bind" : "--ro-bind", sources[index], mount.target.string()});
  }
  // What bwrap made of the root directory itself is writable until here.
  append(arguments, {"--remount-ro", "/", "--chdir", command.directory.string()});
  append_environment(arguments, command.environment);
  arguments.emplace_back("--");
  append(arguments, command.arguments);
  return arguments;
}

/// The filter of system calls as a file, from which bwrap installs it at the very end.
Descriptor filter_file() {
  Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
  const std::vector<sock_filter>& program = toolchain_filter();
  const std::size_t size = program.size() * sizeof(sock_filter);
  if (!file || ::pwrite(file.get(), program.data(), size, 0) != static_cast<ssize_t>(size)) {
    throw_system_error("pass on the filter of system calls");
  }
  return file;
}

/// A box that is being made, running, and ended. Output and status are drained whatever happens.
class RunningBox {
 public:
  RunningBox(const Bubblewrap& bwrap, const BoxCommand& command)
      : limits_(command.limits),
        started_(Clock::now()),
        deadline_(started_ + std::chrono::milliseconds(command.limits.wall_ms)),
        output_(static_cast<std::size_t>(command.limits.output)) {
    if (layers().cgroup) {
      cgroup_ =
          Cgroup::create(command.limits.memory + kLargestScratch, command.limits.processes + 2);
    }
    auto [status_read, status_write] = make_pipe();
    auto [block_read, block_write] = make_pipe();
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing) {
      throw_system_error("open /dev/null");
    }
    SpawnOptions options;
    Strings sources;
    if (bwrap.gives_up_root) {
      places_.emplace(command.mounts);
      places_->require_readable_by_all();
      user_.emplace(places_->writable());
      options.credentials = Credentials{user_->id(), user_->id()};
      for (const PassedDescriptor& place : places_->descriptors()) {
        sources.push_back(private_place(options.private_places.size()));
        options.private_places.push_back(place.ours);
      }
    } else {
      for (const Mount& mount : command.mounts) {
        sources.push_back(mount.source.string());
      }
    }
    options.arguments = bwrap_arguments(bwrap, command, sources);
    options.own_session = true;
    options.watcher = watcher_.descriptor();
    options.limits = resource_limits(command.limits);
    options.descriptors = {{nothing.get(), 0},
                           {output_.write_end().get(), 1},
                           {output_.write_end().get(), 2},
                           {status_write.get(), kStatusDescriptor},
                           {block_read.get(), kBlockDescriptor}};
    Descriptor filter;
    if (layers().filter) {
      filter = filter_file();
      options.descriptors.push_back({filter.get(), kFilterDescriptor});
    }
    if (cgroup_) {
      options.cgroups = cgroup_->directories();
    }
    process_ = Process::spawn(options);
    output_.write_end().reset();
    status_ = std::move(status_read);
    block_ = std::move(block_write);
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
    result_.output = std::move(output_.text);
    result_.output_cut = output_.was_cut;
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
    const bool is_limited = user_ ? user_->limit(first_pid_, {RLIMIT_NPROC, count, count})
                                  : ::prlimit(first_pid_, RLIMIT_NPROC, &limit, nullptr) == 0;
    if (!is_limited && errno != ESRCH) {
      throw_system_error("limit the processes of the box");
    }
  }

  void wait_and_drain() {
    pollfd watched[3] = {{process_.descriptor(), POLLIN, 0},
                         {output_.descriptor(), POLLIN, 0},
                         {status_open_ ? status_.get() : -1, POLLIN, 0}};
    ::poll(watched, 3, milliseconds_until(deadline_));
    drain();
    process_.wait_until(Clock::now());
  }

  void drain() {
    output_.drain(deadline_);
    char buffer[4096];
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
    throw EnvironmentFault("the sandbox could not be made: " + output_.text,
                           "Run `attention-grader doctor` to see what this machine lacks.");
  }

  BoxLimits limits_;
  Clock::time_point started_;
  Clock::time_point deadline_;
  // What outlives the process:
  std::optional<Cgroup> cgroup_;
  std::optional<BoxPlaces> places_;
  std::optional<BuildUser> user_;
  Watcher watcher_;
  Process process_;
  OutputPipe output_;
  Descriptor status_;
  Descriptor block_;
  Descriptor first_process_;
  pid_t first_pid_ = -1;
  bool status_open_ = true;
  std::string status_text_;
  BoxResult result_;
};

class NamespaceLauncher : public Launcher {
 public:
  [[nodiscard]] BoxResult run(const BoxCommand& command) const override {
    return RunningBox(require_bubblewrap(), command).run();
  }

  // Both programs travel as bytes through a descriptor: then nobody in the box needs the right to
  // walk to where they lie on this machine.
  [[nodiscard]] StartedHost start_host(const HostCommand& command) const override {
    constexpr int kProgram = kFirstLauncherDescriptor;
    constexpr int kSubmission = kFirstLauncherDescriptor + 1;
    const Bubblewrap& bwrap = require_bubblewrap();
    SpawnOptions options;
    options.arguments = {bwrap.program};
    append(options.arguments, namespace_arguments(bwrap));
    append(options.arguments, {"--as-pid-1"});
    append(options.arguments, library_arguments());
    append(options.arguments,
           {"--perms", "0555", "--ro-bind-data", std::to_string(kProgram), command.program_path});
    append(options.arguments, {"--perms", "0444", "--ro-bind-data", std::to_string(kSubmission),
                               command.submission_path});
    append_environment(options.arguments, command.environment);
    append(options.arguments, {"--remount-ro", "/", "--chdir", "/", "--", command.program_path});
    StartedHost started;
    started.held = std::make_shared<HostBelongings>();
    if (bwrap.gives_up_root) {
      const uid_t user = started.held->user.emplace().id();
      options.credentials = Credentials{user, user};
    }
    options.own_session = true;
    options.watcher = started.held->watcher.descriptor();
    options.fixed_addresses = true;
    options.limits = {{RLIMIT_CORE, 0, 0}};
    options.descriptors = command.descriptors;
    options.descriptors.push_back({command.program, kProgram});
    options.descriptors.push_back({command.submission, kSubmission});
    options.cgroups = command.cgroups;
    started.process = Process::spawn(options);
    started.submission_path = command.submission_path;
    started.process_limit_counts_box = process_limit_counts_box(bwrap);
    return started;
  }
};

}  // namespace

const Launcher& namespace_launcher() {
  static const NamespaceLauncher only;
  return only;
}

}  // namespace grader
