// The user of commands in boxes when the grader is root: one for all that this process runs at a
// time, since compilers that work side by side write to one directory.
#pragma once

#include <memory>
#include <vector>

#include "grader/sandbox/transient_user.hpp"

namespace grader {

/// A share in the user. With the last one its processes end.
class BuildUser {
 public:
  /// Makes the user the owner of the directories (O_PATH descriptors) for as long as any share in
  /// them lives; afterwards they and what is in them belong to root.
  explicit BuildUser(const std::vector<int>& directories);
  ~BuildUser();
  BuildUser(const BuildUser&) = delete;
  BuildUser& operator=(const BuildUser&) = delete;

  [[nodiscard]] uid_t id() const { return user_->id(); }
  /// See TransientUser::limit.
  [[nodiscard]] bool limit(pid_t process, const ResourceLimit& limit) const {
    return user_->limit(process, limit);
  }

 private:
  std::shared_ptr<TransientUser> user_;
  std::vector<Descriptor> directories_;
};

}  // namespace grader
