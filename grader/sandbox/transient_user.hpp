// Users that exist for as long as a box does. Nothing on disk belongs to them, and no other process
// has the same one, so that the kernel counts their processes apart and all that is left of a box
// can be ended by user.
#pragma once

#include <sys/types.h>

#include "grader/sandbox/descriptor.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {

// The range that systemd uses for services with a user of their own.
inline constexpr uid_t kFirstTransientUser = 61184;
inline constexpr uid_t kTransientUsers = 4096;

/// A user that nobody else of this machine (or container) holds. Only root can use one.
class TransientUser {
 public:
  /// Throws EnvironmentFault when all are taken.
  TransientUser();
  /// Ends everything that still runs as this user.
  ~TransientUser();
  TransientUser(const TransientUser&) = delete;
  TransientUser& operator=(const TransientUser&) = delete;

  [[nodiscard]] uid_t id() const { return id_; }
  /// Kills all of them.
  void end_processes() const;
  /// Limits one of them, which root itself may not do without the capability SYS_RESOURCE. False
  /// with errno if that is refused.
  [[nodiscard]] bool limit(pid_t process, const ResourceLimit& limit) const;

 private:
  uid_t id_ = 0;
  Descriptor claim_;  // a name that the kernel frees when this process ends, however it ends
};

}  // namespace grader
