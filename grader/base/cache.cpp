#include "grader/base/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <system_error>

namespace grader {

namespace fs = std::filesystem;

bool is_trusted(const fs::path& directory) {
  struct stat status {};
  return lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path cache_directory() {
  fs::path base;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    base = cache;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    base = fs::path(home) / ".cache";
  } else {
    return {};
  }
  const fs::path cache = base / "attention-grader";
  std::error_code error;
  fs::create_directories(base, error);
  mkdir(cache.c_str(), 0755);
  return is_trusted(cache) && access(cache.c_str(), W_OK | X_OK) == 0 ? cache : fs::path();
}

void remove_unused(const fs::path& folder) {
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const auto used = fs::last_write_time(entry->path(), ignored);
    if (!ignored && used < oldest) fs::remove_all(entry->path(), ignored);
  }
}

void note_use(const fs::path& entry) { utimensat(AT_FDCWD, entry.c_str(), nullptr, 0); }

}  // namespace grader
