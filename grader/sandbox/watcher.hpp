// Ends boxes whose grader was killed. The kernel ends a process with its parent, but not that one's
// children, and bwrap ties its own to itself only when the box is complete. So every box is a
// process group that its filter of system calls forbids to leave, and a shell that waits for the
// grader's end ends the group.
#pragma once

#include "grader/sandbox/process.hpp"

namespace grader {

/// Watches over one process group, from before it exists until this object is gone. Throws
/// EnvironmentFault when it cannot be started.
class Watcher {
 public:
  Watcher();
  /// For SpawnOptions::watcher.
  [[nodiscard]] int descriptor() const { return life_.get(); }

 private:
  // The shell ends before the other end of its pipe closes: then it does nothing.
  Descriptor life_;
  Process process_;
};

}  // namespace grader
