// Control groups, version 1 or 2, where the grader may make them: they bound the memory and the
// number of processes of a whole box, which per-process limits cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A control group of our own with limits on memory and processes; gone with this object.
class Cgroup {
 public:
  /// Makes one, or nothing where that is not possible. `memory` in bytes.
  static std::optional<Cgroup> create(std::int64_t memory, std::int64_t processes);
  ~Cgroup();
  Cgroup(Cgroup&& other) noexcept = default;
  Cgroup& operator=(Cgroup&& other) noexcept = default;

  /// Directories whose cgroup.procs a process writes itself into (two with version 1).
  [[nodiscard]] const std::vector<std::string>& directories() const { return directories_; }
  /// Highest memory use so far, in bytes, or 0 where the kernel does not tell.
  [[nodiscard]] std::int64_t peak_memory() const;

 private:
  Cgroup() = default;
  std::vector<std::string> directories_;
};

}  // namespace grader
