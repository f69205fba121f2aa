#include "grader/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporaryPrefix = "attention-grader-work-";

/// The temporary directories of this process. Never destroyed: a signal may come while it ends.
struct InUse {
  std::mutex mutex;
  std::set<fs::path> paths;
};
InUse& in_use() {
  static auto* const only = new InUse;
  return *only;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_new(const fs::path& file, std::string_view content, mode_t mode,
               const std::string& hint) {
  const auto fail = [&](int error) {
    throw EnvironmentFault("Cannot write " + file.string() + ": " + std::strerror(error) + ".",
                           hint);
  };
  const int descriptor =
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) fail(errno);
  int error = write_all(descriptor, content) ? 0 : errno;
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return;
  unlink(file.c_str());
  fail(error);
}

enum class Readers : std::uint8_t { anybody, owner };

std::string read_whole(const fs::path& file, std::size_t limit, Readers readers) {
  const auto fail = [&](const std::string& why, const std::string& hint) {
    throw UsageFault("Cannot read " + file.string() + ": " + why + ".", hint);
  };
  const Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) fail(std::strerror(errno), "Check the path and its permissions.");
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    fail("it is not a regular file", "Name a file.");
  }
  if (readers == Readers::owner && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fail("it holds a secret and others may use it", "Run `chmod 600` on it.");
  }
  std::string content;
  std::array<char, 1U << 16U> buffer{};
  while (true) {
    const ssize_t count = read(descriptor.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(std::strerror(errno), "Check the disk.");
    if (count == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (content.size() > limit) {
      fail("it is larger than " + std::to_string(limit) + " bytes", "Name a smaller file.");
    }
  }
}

/// A descriptor of `directory`, which belongs to this user (or to whom root gave it), that holds
/// its lock; or -1. Whoever removes a directory holds its lock, so one that is still there when its
/// lock is got stays.
int locked(const fs::path& directory, int operation) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat opened {};
  struct stat named {};
  int result = 0;
  do {
    result = flock(descriptor, operation);
  } while (result != 0 && errno == EINTR);
  // Some file systems have no locks. There nothing is ever taken for abandoned.
  const bool has_lock = result == 0 || (operation == LOCK_EX && errno != EWOULDBLOCK);
  if (has_lock && fstat(descriptor, &opened) == 0 && lstat(directory.c_str(), &named) == 0 &&
      opened.st_ino == named.st_ino && opened.st_dev == named.st_dev &&
      (opened.st_uid == geteuid() || geteuid() == 0)) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

[[noreturn]] void fail_to_make(const std::string& why) {
  throw EnvironmentFault("Cannot make a temporary directory: " + why + ".",
                         "Free some space, or set TMPDIR to a directory you may write to.");
}

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  std::string temporary = file.string() + ".XXXXXX";
  const auto fail = [&](int error) {
    throw EnvironmentFault("Cannot write " + file.string() + ": " + std::strerror(error) + ".",
                           "Free some space or choose another place with --out.");
  };
  const Descriptor descriptor(mkostemp(temporary.data(), O_CLOEXEC));
  if (descriptor.get() < 0) fail(errno);
  constexpr mode_t readable = 0644;
  if (!write_all(descriptor.get(), content) || fsync(descriptor.get()) != 0 ||
      fchmod(descriptor.get(), readable) != 0 || rename(temporary.c_str(), file.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    fail(error);
  }
}

void write_new(const std::filesystem::path& file, std::string_view content,
               const std::string& hint) {
  constexpr mode_t readable = 0644;
  write_new(file, content, readable, hint);
}

void write_new_secret(const std::filesystem::path& file, std::string_view content,
                      const std::string& hint) {
  constexpr mode_t own = 0600;
  write_new(file, content, own, hint);
}

std::string read_file(const std::filesystem::path& file, std::size_t limit) {
  return read_whole(file, limit, Readers::anybody);
}

std::string read_secret(const std::filesystem::path& file, std::size_t limit) {
  return read_whole(file, limit, Readers::owner);
}

void open_for_reading(const std::filesystem::path& tree) {
  const auto open_one = [](const fs::path& path) {
    auto readable = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    if (fs::is_directory(path)) {
      readable |= fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    }
    fs::permissions(path, readable, fs::perm_options::add);
  };
  open_one(tree);
  for (const auto& entry : fs::recursive_directory_iterator(tree)) {
    if (!entry.is_symlink()) open_one(entry.path());
  }
}

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) fail_to_make(error.message());
  constexpr int kAttempts = 8;  // another process may take it for abandoned before it is locked
  for (int attempt = 0; attempt < kAttempts && lock_ < 0; ++attempt) {
    std::string name = (parent / kTemporaryPrefix).string() + "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail_to_make(std::strerror(errno));
    lock_ = locked(name, LOCK_EX);
    if (lock_ < 0) rmdir(name.c_str());
    path_ = name;
  }
  if (lock_ < 0) fail_to_make("it cannot be locked");
  const std::lock_guard guard(in_use().mutex);
  in_use().paths.insert(path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // nothing can be done about a leftover while unwinding
  fs::remove_all(path_, ignored);
  close(lock_);
  const std::lock_guard guard(in_use().mutex);
  in_use().paths.erase(path_);
}

void remove_temporary_directories() {
  const std::lock_guard guard(in_use().mutex);
  std::error_code ignored;  // the next process tries again
  for (const fs::path& path : in_use().paths) fs::remove_all(path, ignored);
}

void remove_abandoned_directories() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kTemporaryPrefix)) continue;
    const int lock = locked(entry->path(), LOCK_EX | LOCK_NB);
    if (lock < 0) continue;
    std::error_code ignored;  // whatever cannot be removed harms nobody
    fs::remove_all(entry->path(), ignored);
    close(lock);
  }
}

}  // namespace grader
