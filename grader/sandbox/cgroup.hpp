// Control groups, version 1 or 2, where the grader may make them: they bound the memory and the
// number of processes of a whole box, which per-process limits cannot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// Where control groups are found and how one is made; tests put a made-up tree in its place.
struct CgroupSystem {
  std::filesystem::path process = "/proc/self";  ///< holds the files `cgroup` and `mounts`
  /// Makes a group; the kernel fills it with files.
  std::function<bool(const std::filesystem::path&)> make;
};

/// A control group of our own with limits on memory and processes; gone with this object.
class Cgroup {
 public:
  /// Makes one, or nothing where that is not possible. `memory` in bytes.
  static std::optional<Cgroup> create(std::int64_t memory, std::int64_t processes,
                                      const CgroupSystem& system = the_system());
  ~Cgroup();
  Cgroup(Cgroup&& other) noexcept = default;
  Cgroup& operator=(Cgroup&& other) noexcept = default;

  /// Directories whose cgroup.procs a process writes itself into (two with version 1).
  [[nodiscard]] const std::vector<std::string>& directories() const { return directories_; }
  /// Highest memory use so far, in bytes, or 0 where the kernel does not tell.
  [[nodiscard]] std::int64_t peak_memory() const;

  /// The one of this machine.
  static const CgroupSystem& the_system();

 private:
  Cgroup() = default;
  std::vector<std::string> directories_;
};

}  // namespace grader
