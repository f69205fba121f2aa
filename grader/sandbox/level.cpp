#include "grader/sandbox/level.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "grader/base/fault.hpp"
#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/isolation.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/process.hpp"
#include "grader/sandbox/transient_user.hpp"

namespace grader {
namespace {

constexpr std::array kNames = {"none", "L0", "L1", "L2", "L3", "L4"};
constexpr int kNotSet = -1;

std::atomic<int> limit{kNotSet};
std::atomic<bool> none_is_accepted{false};

bool try_to_change_user() {
  if (::geteuid() != 0) {
    return false;
  }
  SpawnOptions options;
  options.arguments = {"/bin/sh", "-c", "exit 7"};
  options.credentials = Credentials{kFirstTransientUser, kFirstTransientUser};
  try {
    Process process = Process::spawn(options);
    const auto end = process.wait_until(Clock::now() + std::chrono::seconds(10));
    return end && WIFEXITED(end->status) && WEXITSTATUS(end->status) == 7;
  } catch (const EnvironmentFault&) {
    return false;  // that is the answer
  }
}

}  // namespace

std::string name_of(Level level) { return kNames.at(static_cast<std::size_t>(level)); }

std::optional<Level> level_named(const std::string& name) {
  for (std::size_t index = 0; index < kNames.size(); ++index) {
    if (name == kNames[index]) {
      return static_cast<Level>(index);
    }
  }
  return std::nullopt;
}

Level Layers::level() const {
  if (!filter) {
    return Level::none;
  }
  if (namespaces) {
    return cgroup ? Level::l4 : Level::l3;
  }
  if (landlock) {
    return own_user ? Level::l2 : Level::l1;
  }
  return Level::l0;
}

void limit_isolation(Level highest) { limit = static_cast<int>(highest); }

void unlimit_isolation() { limit = kNotSet; }

Level isolation_limit() {
  if (limit != kNotSet) {
    return static_cast<Level>(limit.load());
  }
  const char* name = std::getenv("ATTENTION_GRADER_ISOLATION");
  if (name == nullptr || *name == '\0') {
    return Level::l4;
  }
  if (const auto level = level_named(name)) {
    return *level;
  }
  throw UsageFault("ATTENTION_GRADER_ISOLATION is not the name of a level.",
                   "Unset it, or set it to L4, L3, L2, L1 or L0.");
}

void accept_no_isolation() { none_is_accepted = true; }

bool user_can_be_changed() {
  static const bool can = try_to_change_user();
  return can;
}

Layers layers() {
  static const bool cgroup = cgroup_available();
  static const bool filter = seccomp_available();
  static const bool landlock = landlock_version() > 0;
  const Level highest = isolation_limit();
  Layers used;
  used.filter = filter && highest >= Level::l0;
  used.namespaces = highest >= Level::l3 && bubblewrap().works;
  // Whoever asks for less than L4 wants to know what happens on a machine without control groups.
  used.cgroup = cgroup && highest == Level::l4;
  if (!used.namespaces) {
    used.landlock = landlock && highest >= Level::l1;
    // L1 is the level of the same user. At L0 root gives itself up all the same.
    used.own_user = highest != Level::l1 && highest != Level::none && user_can_be_changed();
  }
  return used;
}

Layers require_layers() {
  const Layers used = layers();
  if (used.level() == Level::none && !none_is_accepted) {
    throw EnvironmentFault(
        "this machine cannot isolate submissions: its kernel does not filter system calls",
        "Use a Linux kernel with CONFIG_SECCOMP_FILTER. If you wrote the submission yourself, "
        "--accept-unsafe grades it all the same, and the report says so.");
  }
  return used;
}

}  // namespace grader
