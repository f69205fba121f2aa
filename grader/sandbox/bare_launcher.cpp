// Boxes without namespaces, where the machine refuses those (a default container, a cluster): what
// protects is a user that owns nothing (as root), Landlock where the kernel has it, and always the
// filter of system calls and resource limits. Files outside the box exist all the same, so
// compilers are kept from asking for them (view/view.hpp).
//
// Nothing outlives a box: the filter keeps every process in the process group that the box started
// with, so that ending the group ends them all.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/sandbox/box_places.hpp"
#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/build_user.hpp"
#include "grader/sandbox/call_filter.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/launcher.hpp"
#include "grader/sandbox/level.hpp"
#include "grader/sandbox/output_pipe.hpp"
#include "grader/sandbox/support_file.hpp"
#include "grader/sandbox/view/view.hpp"
#include "grader/sandbox/watcher.hpp"

namespace grader {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr const char* kView = "attention-grader-view.so";

// What a compiler needs of the machine.
constexpr std::array kToolchain = {"/usr", "/bin", "/lib", "/lib64", "/lib32", "/libx32", "/sbin"};
constexpr std::array kToolchainSettings = {"/etc/alternatives", "/etc/ld.so.cache"};
constexpr const char* kNothing = "/dev/null";

/// Without namespaces other processes are in sight: nobody may read the grader's memory.
void hide_own_memory() {
#ifndef __SANITIZE_ADDRESS__  // whose leak check reads its own process from outside
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

/// The name of a descriptor within the process that has it.
std::string descriptor_path(int number) { return "/proc/self/fd/" + std::to_string(number); }

/// The bytes of a file, in memory that nobody can write to and that no path leads to: so a user
/// that may not walk to the file can load it.
Descriptor sealed_copy(int file) {
  const Descriptor copy(::memfd_create("program", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  char buffer[65536];
  off_t place = 0;
  for (ssize_t count = 0; (count = ::pread(file, buffer, sizeof buffer, place)) != 0;
       place += count) {
    if (count < 0 ||
        ::pwrite(copy.get(), buffer, static_cast<std::size_t>(count), place) != count) {
      throw_system_error("copy a program for the sandbox");
    }
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  // A program cannot be started while a descriptor that could write to it is open.
  Descriptor readable(::open(descriptor_path(copy.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!readable || ::fcntl(copy.get(), F_ADD_SEALS, kSeals) != 0) {
    throw_system_error("seal a program for the sandbox");
  }
  return readable;
}

Descriptor open_support_file(const char* name) {
  const std::filesystem::path path = support_file(name);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    throw_system_error("open " + path.string());
  }
  return file;
}

class BareBox {
 public:
  explicit BareBox(const BoxCommand& command)
      : limits_(command.limits),
        started_(Clock::now()),
        deadline_(started_ + std::chrono::milliseconds(command.limits.wall_ms)),
        places_(with_scratch(command.mounts)),
        view_library_(sealed_copy(open_support_file(kView).get())),
        output_(static_cast<std::size_t>(command.limits.output)) {
    hide_own_memory();
    const Layers layers = require_layers();
    if (layers.cgroup) {
      constexpr std::int64_t kReserve = std::int64_t{64} << 20;
      cgroup_ = Cgroup::create(limits_.memory + kReserve, limits_.processes + 2);
    }
    if (layers.own_user) {
      places_.require_readable_by_all();
      user_.emplace(places_.writable());
    }
    std::optional<LandlockRules> rules;
    if (layers.landlock) {
      rules.emplace();
      allow_toolchain(*rules);
      places_.allow(*rules);
    }
    const Descriptor directory = places_.directory(command.directory);
    SpawnOptions options = spawn_options(command);
    options.directory = directory.get();
    options.landlock_rules = rules ? rules->descriptor() : -1;
    options.filter = layers.filter ? &toolchain_filter() : nullptr;
    process_ = Process::spawn(options);
    output_.write_end().reset();
  }
  ~BareBox() {
    end_group();
    process_.await_end(kPatience);
  }
  BareBox(const BareBox&) = delete;
  BareBox& operator=(const BareBox&) = delete;

  BoxResult run() {
    pollfd watched[2] = {{process_.descriptor(), POLLIN, 0}, {-1, POLLIN, 0}};
    while ((watched[0].revents & POLLIN) == 0) {
      if (milliseconds_until(deadline_) == 0) {
        result_.wall_exceeded = true;
        break;
      }
      watched[1].fd = output_.descriptor();
      ::poll(watched, 2, milliseconds_until(deadline_));
      output_.drain(deadline_);
    }
    // Before the first process is waited for: until then nobody else can have the group's number.
    end_group();
    const auto end = process_.wait_until(Clock::now() + kPatience);
    if (!end) {
      throw EnvironmentFault("a process of the sandbox could not be ended",
                             "Look for a process that hangs in the kernel (state D), then retry.");
    }
    output_.drain(Clock::now());
    interpret(*end);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<Mount> with_scratch(std::vector<Mount> mounts) const {
    mounts.push_back({scratch_.path(), "/tmp", true});
    return mounts;
  }

  static void allow_toolchain(LandlockRules& rules) {
    for (const char* directory : kToolchain) {
      rules.allow(directory, FileRights::read_execute);
    }
    for (const char* path : kToolchainSettings) {
      rules.allow(path, FileRights::read);
    }
    rules.allow(kNothing, FileRights::read_write);
  }

  /// See view/view.hpp.
  [[nodiscard]] std::string view(const std::filesystem::path& directory) const {
    std::string text = places_.to_here(directory.string());
    for (const PassedDescriptor& place : places_.descriptors()) {
      text += ":" + descriptor_path(place.theirs);
    }
    for (const char* path : kToolchain) text += std::string(":") + path;
    for (const char* path : kToolchainSettings) text += std::string(":") + path;
    return text + ":" + kNothing;
  }

  [[nodiscard]] SpawnOptions spawn_options(const BoxCommand& command) const {
    SpawnOptions options;
    for (const std::string& argument : command.arguments) {
      options.arguments.push_back(places_.to_here(argument));
    }
    bool has_scratch = false;
    for (const std::string& variable : command.environment) {
      if (variable.find('=') == std::string::npos) {
        throw InternalFault("box: environment entry without '='");
      }
      has_scratch = has_scratch || variable.rfind("TMPDIR=", 0) == 0;
      options.environment.push_back(places_.to_here(variable));
    }
    if (!has_scratch) {
      options.environment.push_back(places_.to_here("TMPDIR=/tmp"));
    }
    options.descriptors = places_.descriptors();
    const int view_number = kFirstLauncherDescriptor + static_cast<int>(options.descriptors.size());
    options.descriptors.push_back({view_library_.get(), view_number});
    options.environment.push_back("LD_PRELOAD=" + descriptor_path(view_number));
    options.environment.push_back(std::string(view::kVariable) + "=" + view(command.directory));
    options.descriptors.push_back({output_.write_end().get(), 1});
    options.descriptors.push_back({output_.write_end().get(), 2});
    options.limits = resource_limits(command.limits);
    options.own_session = true;
    options.watcher = watcher_.descriptor();
    if (user_) {
      const auto count = static_cast<rlim_t>(limits_.processes + 2);
      options.limits.push_back({RLIMIT_NPROC, count, count});
      options.credentials = Credentials{user_->id(), user_->id()};
    }
    if (cgroup_) {
      options.cgroups = cgroup_->directories();
    }
    return options;
  }

  void end_group() const {
    if (process_.running()) {
      ::kill(-process_.pid(), SIGKILL);
    }
  }

  void interpret(const ProcessEnd& end) {
    result_.output = places_.from_here(std::move(output_.text));
    result_.output_cut = output_.was_cut;
    result_.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    result_.cpu_seconds = end.cpu_seconds;
    const bool limit_used = end.cpu_seconds * 1000 >= static_cast<double>(limits_.cpu_ms);
    if (result_.wall_exceeded) {
      result_.signal = SIGKILL;
      result_.cpu_exceeded = limit_used;
      return;
    }
    if (WIFEXITED(end.status)) {
      result_.exit_code = WEXITSTATUS(end.status);
    } else {
      result_.signal = WTERMSIG(end.status);
    }
    result_.cpu_exceeded = result_.exit_code != 0 && (limit_used || result_.signal == SIGXCPU);
  }

  // In the order in which they may go: what a process uses outlives it.
  TemporaryDirectory scratch_;
  BoxLimits limits_;
  Clock::time_point started_;
  Clock::time_point deadline_;
  BoxPlaces places_;
  Descriptor view_library_;
  std::optional<Cgroup> cgroup_;
  std::optional<BuildUser> user_;
  Watcher watcher_;
  Process process_;
  OutputPipe output_;
  BoxResult result_;
};

class BareLauncher : public Launcher {
 public:
  [[nodiscard]] BoxResult run(const BoxCommand& command) const override {
    return BareBox(command).run();
  }

  [[nodiscard]] StartedHost start_host(const HostCommand& command) const override {
    constexpr int kProgram = kFirstLauncherDescriptor;
    constexpr int kSubmission = kFirstLauncherDescriptor + 1;
    hide_own_memory();
    const Layers layers = require_layers();
    const Descriptor program = sealed_copy(command.program);
    const Descriptor submission = sealed_copy(command.submission);
    SpawnOptions options;
    options.arguments = {descriptor_path(kProgram)};
    options.environment = command.environment;
    options.descriptors = command.descriptors;
    options.descriptors.push_back({program.get(), kProgram});
    options.descriptors.push_back({submission.get(), kSubmission});
    options.limits = {{RLIMIT_CORE, 0, 0}};
    options.cgroups = command.cgroups;
    options.own_session = true;
    options.fixed_addresses = true;
    const auto belongings = std::make_shared<HostBelongings>();
    options.watcher = belongings->watcher.descriptor();
    std::optional<LandlockRules> rules;
    if (layers.landlock) {
      rules.emplace();
      for (const auto& directory : library_directories()) {
        rules->allow(directory, FileRights::read_execute);
      }
      options.landlock_rules = rules->descriptor();
    }
    StartedHost started;
    started.held = belongings;
    if (layers.own_user) {
      const uid_t user = belongings->user.emplace().id();
      options.credentials = Credentials{user, user};
      started.process_limit_counts_box = true;
    }
    const Descriptor root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    options.directory = root.get();
    started.process = Process::spawn(options);
    started.submission_path = descriptor_path(kSubmission);
    started.submission_descriptor = kSubmission;
    return started;
  }
};

}  // namespace

const Launcher& bare_launcher() {
  static const BareLauncher only;
  return only;
}

}  // namespace grader
