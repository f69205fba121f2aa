// Landlock: a process gives up, for itself and all that it starts, every right to files that is not
// listed. Needs no privilege. https://docs.kernel.org/userspace-api/landlock.html
#pragma once

#include <cstdint>
#include <string>

#include "grader/sandbox/descriptor.hpp"

namespace grader {

/// Version of the kernel's interface, 0 where there is none.
int landlock_version();

/// Rights below one directory, or to one file.
enum class FileRights : std::uint8_t {
  read,          ///< files and lists of directories
  read_execute,  ///< and programs may be started
  read_write,    ///< and regular files and directories made and removed; nothing is started
};

/// What processes behind it may touch. Besides files, these are refused as far as the kernel's
/// version goes: TCP, tracing, signals and abstract sockets of processes outside.
class LandlockRules {
 public:
  /// Throws EnvironmentFault when the kernel has no Landlock.
  LandlockRules();
  /// What is at `path`, links followed; nothing if that does not exist.
  void allow(const std::string& path, FileRights rights);
  /// What an open descriptor (O_PATH suffices) refers to.
  void allow(int descriptor, FileRights rights);
  /// To be given to SpawnOptions.
  [[nodiscard]] int descriptor() const { return rules_.get(); }

 private:
  int version_ = 0;
  std::uint64_t handled_ = 0;
  Descriptor rules_;
};

}  // namespace grader
