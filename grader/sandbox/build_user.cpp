#include "grader/sandbox/build_user.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

using Identity = std::pair<dev_t, ino_t>;

std::mutex mutex;
std::weak_ptr<TransientUser> current;
std::map<Identity, int> shares;

Identity identity_of(int directory) {
  struct stat status {};
  if (::fstat(directory, &status) != 0) {
    throw_system_error("examine a directory of the sandbox");
  }
  return {status.st_dev, status.st_ino};
}

void give_to(int directory, uid_t user) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory);
  constexpr mode_t kMode = 0755;
  if (::fchownat(directory, "", user, user, AT_EMPTY_PATH) != 0 ||
      ::chmod(path.c_str(), kMode) != 0) {
    throw_system_error("hand a directory to the sandbox");
  }
}

/// Nothing runs as the user any more that could change what is walked here; links are not followed.
void take_back(int directory) noexcept {
  ::fchownat(directory, "", 0, 0, AT_EMPTY_PATH);
  std::error_code error;
  const std::filesystem::path path = "/proc/self/fd/" + std::to_string(directory) + "/.";
  for (std::filesystem::recursive_directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    ::lchown(entry->path().c_str(), 0, 0);
  }
}

}  // namespace

BuildUser::BuildUser(const std::vector<int>& directories) {
  const std::lock_guard lock(mutex);
  user_ = current.lock();
  if (!user_) {
    user_ = std::make_shared<TransientUser>();
    current = user_;
  }
  for (const int directory : directories) {
    give_to(directory, user_->id());
    ++shares[identity_of(directory)];
    directories_.emplace_back(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
  }
}

BuildUser::~BuildUser() {
  const std::lock_guard lock(mutex);
  const bool is_last = user_.use_count() == 1;
  if (is_last) {
    user_->end_processes();
  }
  for (const Descriptor& directory : directories_) {
    struct stat status {};
    if (::fstat(directory.get(), &status) != 0) {
      continue;
    }
    const auto share = shares.find({status.st_dev, status.st_ino});
    if (share != shares.end() && --share->second == 0) {
      shares.erase(share);
      take_back(directory.get());
    }
  }
}

}  // namespace grader
