// How boxes are made: one class a family of isolation levels, chosen in one place. To add a family,
// write its file, and name it in launcher.cpp.
//   namespaces (L4, L3)  namespace_launcher.cpp  bwrap makes new namespaces
//   bare (L2, L1, L0)    bare_launcher.cpp       Landlock, a user of its own, a process group
// The filter of system calls and the resource limits are the same everywhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/box.hpp"
#include "grader/sandbox/process.hpp"
#include "grader/sandbox/transient_user.hpp"
#include "grader/sandbox/watcher.hpp"

namespace grader {

/// A program that takes its input from descriptors and needs nothing but its libraries: the host.
struct HostCommand {
  int program = -1;          ///< descriptor of the program's file
  int submission = -1;       ///< descriptor of the shared object that it loads
  std::string program_path;  ///< where the two are shown in a box that has paths of its own
  std::string submission_path;
  std::vector<std::string> environment;
  std::vector<PassedDescriptor> descriptors;  ///< numbers below kFirstLauncherDescriptor
  std::vector<std::string> cgroups;
};
inline constexpr int kFirstLauncherDescriptor = 20;

/// What a host needs for as long as it runs.
struct HostBelongings {
  Watcher watcher;
  std::optional<TransientUser> user;
};

/// A host that was started. Ends with this object.
struct StartedHost {
  std::shared_ptr<HostBelongings> held;  ///< given back after the process has ended
  Process process;
  std::string submission_path;  ///< where the program finds the shared object
  /// A descriptor that submission_path refers to, to be closed once it is loaded; -1: none.
  int submission_descriptor = -1;
  bool process_limit_counts_box = false;  ///< RLIMIT_NPROC counts the box's processes alone
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// See run_in_box().
  [[nodiscard]] virtual BoxResult run(const BoxCommand& command) const = 0;
  /// Throws EnvironmentFault.
  [[nodiscard]] virtual StartedHost start_host(const HostCommand& command) const = 0;
};

/// The launcher of the level in use (level.hpp). Throws EnvironmentFault when there is none.
const Launcher& launcher();

/// One of each family.
const Launcher& namespace_launcher();
const Launcher& bare_launcher();

/// Limits on every process of a box that runs a command.
std::vector<ResourceLimit> resource_limits(const BoxLimits& limits);

}  // namespace grader
