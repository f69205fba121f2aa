#include "grader/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/base/output.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporaryPrefix = "attention-grader-work-";

constexpr std::string_view kUnfinishedPrefix = ".attention-grader-unfinished-";
constexpr const char* kOtherPlace = "Free some space, or choose a place that you may write to.";
constexpr int kAttempts = 8;  // another process may take it for abandoned before it is locked

/// What this process has to remove however it ends. Never destroyed: a signal may come while it
/// ends.
struct InUse {
  std::mutex mutex;
  std::set<fs::path> paths;
  std::set<fs::path> tidied;  ///< folders in which what others left unfinished was removed
};
InUse& in_use() {
  static auto* const only = new InUse;
  return *only;
}

[[noreturn]] void cannot_write(const fs::path& file, const std::string& why,
                               const std::string& hint) {
  throw EnvironmentFault("Cannot write " + file.string() + ": " + why + ".", hint);
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
  const auto fail = [&](int error) { cannot_write(file, std::strerror(error), hint); };
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

/// A regular file that is open for reading. What cannot be read is a UsageFault, what the machine
/// has too little of an EnvironmentFault.
class RegularFile {
 public:
  RegularFile(const fs::path& path, Readers readers)
      : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_.get() < 0) fail_to_open(errno);
    struct stat status {};
    if (fstat(descriptor_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      fail("it is not a regular file", "Name a file.");
    }
    if (readers == Readers::owner && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
      fail("it holds a secret and others may use it", "Run `chmod 600` on it.");
    }
    size_ = static_cast<std::size_t>(status.st_size);
  }

  /// When it was opened.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Calls `take` with what it holds, piece by piece.
  template <class Take>
  void read_all(std::size_t limit, const Take& take) const {
    std::array<char, 1U << 16U> buffer{};
    std::size_t length = 0;
    while (true) {
      const ssize_t count = read(descriptor_.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(std::strerror(errno), "Check the disk.");
      if (count == 0) return;
      length += static_cast<std::size_t>(count);
      if (length > limit) {
        fail("it is larger than " + std::to_string(limit) + " bytes", "Name a smaller file.");
      }
      take(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    }
  }

 private:
  [[noreturn]] void fail_to_open(int error) const {
    if (error == EMFILE || error == ENFILE || error == ENOMEM) {
      throw EnvironmentFault("Cannot read " + path_.string() + ": " + std::strerror(error) + ".",
                             "Allow more open files (`ulimit -n`) or free memory; try again.");
    }
    fail(std::strerror(error), "Check the path and its permissions.");
  }
  [[noreturn]] void fail(const std::string& why, const std::string& hint) const {
    throw UsageFault("Cannot read " + path_.string() + ": " + why + ".", hint);
  }

  const fs::path& path_;
  Descriptor descriptor_;
  std::size_t size_ = 0;
};

std::string read_whole(const fs::path& path, std::size_t limit, Readers readers) {
  const RegularFile file(path, readers);
  std::string content;
  content.reserve(std::min(file.size(), limit));
  file.read_all(limit, [&](std::string_view piece) { content += piece; });
  return content;
}

/// Locks what is open and is called `path`. Whoever removes a temporary directory or an unfinished
/// file holds its lock, so one that is still there when its lock is got stays.
bool lock(int descriptor, const fs::path& path, int operation) {
  struct stat opened {};
  struct stat named {};
  int result = 0;
  do {
    result = flock(descriptor, operation);
  } while (result != 0 && errno == EINTR);
  // Some file systems have no locks. There nothing is ever taken for abandoned.
  const bool has_lock = result == 0 || (operation == LOCK_EX && errno != EWOULDBLOCK);
  return has_lock && fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Whether it belongs to this user (or to whom root gave it). Some file systems, shared folders of
/// a virtual machine for one, say of everything that it is another's.
bool is_own(int descriptor) {
  struct stat opened {};
  return fstat(descriptor, &opened) == 0 && (opened.st_uid == geteuid() || geteuid() == 0);
}

/// A descriptor of `path`, which is this user's own, that holds its lock; or -1.
int locked(const fs::path& path, int operation) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 || (is_own(descriptor) && lock(descriptor, path, operation))) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

/// Removes what is called like this in `folder` and is of nobody who is still at work.
void remove_abandoned(const fs::path& folder, std::string_view prefix) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int held = locked(entry->path(), LOCK_EX | LOCK_NB);
    if (held < 0) continue;
    std::error_code ignored;  // whatever cannot be removed harms nobody
    fs::remove_all(entry->path(), ignored);
    close(held);
  }
}

/// What a file's content is written to before it gets its name. Removed unless it got it.
class UnfinishedFile {
 public:
  /// Beside the file that it is to become. open_error() says when there is none.
  explicit UnfinishedFile(const fs::path& folder) {
    const std::lock_guard guard(in_use().mutex);
    if (in_use().tidied.insert(folder).second) remove_abandoned(folder, kUnfinishedPrefix);
    for (int attempt = 0; attempt < kAttempts && descriptor_ < 0; ++attempt) {
      std::string name = (folder / kUnfinishedPrefix).string() + "XXXXXX";
      descriptor_ = mkostemp(name.data(), O_CLOEXEC);
      open_error_ = descriptor_ < 0 ? errno : 0;
      if (descriptor_ < 0) return;
      path_ = name;
      if (lock(descriptor_, path_, LOCK_EX)) break;
      close(descriptor_);
      descriptor_ = -1;
      open_error_ = EAGAIN;
    }
    if (descriptor_ >= 0) in_use().paths.insert(path_);
  }
  ~UnfinishedFile() {
    if (descriptor_ < 0) return;
    if (!path_.empty()) unlink(path_.c_str());
    close(descriptor_);
    forget();
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  [[nodiscard]] int open_error() const { return open_error_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool become(const fs::path& file) {
    if (rename(path_.c_str(), file.c_str()) != 0) return false;
    forget();
    path_.clear();
    return true;
  }

 private:
  void forget() {
    const std::lock_guard guard(in_use().mutex);
    in_use().paths.erase(path_);
  }

  fs::path path_;  ///< empty once it has another name
  int descriptor_ = -1;
  int open_error_ = 0;
};

bool is_link(const fs::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// Whether `descriptor` is open on that file: /dev/stdout is a link to whatever it is.
bool is_open_on(int descriptor, const struct stat& file) {
  struct stat opened {};
  return fstat(descriptor, &opened) == 0 && opened.st_ino == file.st_ino &&
         opened.st_dev == file.st_dev;
}

void write_into(int descriptor, const fs::path& file, std::string_view content) {
  if (descriptor < 0 || !write_all(descriptor, content)) {
    cannot_write(file, std::strerror(errno), kOtherPlace);
  }
}

/// Puts a new file in the place of `file`, which messages call `shown`.
void replace_file(const fs::path& file, const fs::path& shown, std::string_view content) {
  constexpr mode_t readable = 0644;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  UnfinishedFile unfinished(folder);
  if (unfinished.open_error() != 0) {
    cannot_write(shown, std::strerror(unfinished.open_error()), kOtherPlace);
  }
  const int descriptor = unfinished.descriptor();
  if (!write_all(descriptor, content) || fsync(descriptor) != 0 ||
      fchmod(descriptor, readable) != 0 || !unfinished.become(file)) {
    cannot_write(shown, std::strerror(errno), kOtherPlace);
  }
}

[[noreturn]] void fail_to_make(const std::string& why) {
  throw EnvironmentFault("Cannot make a temporary directory: " + why + ".",
                         "Free some space, or set TMPDIR to a directory you may write to.");
}

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) {
    if (is_link(file)) {
      cannot_write(file, "it is a link to something that is not there", kOtherPlace);
    }
    replace_file(file, file, content);
  } else if (is_link(file) && is_open_on(STDOUT_FILENO, status)) {
    write_into(STDOUT_FILENO, file, content);
  } else if (is_link(file) && is_open_on(STDERR_FILENO, status)) {
    write_into(STDERR_FILENO, file, content);
  } else if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) {
    const Descriptor descriptor(open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    write_into(descriptor.get(), file, content);
  } else if (S_ISREG(status.st_mode)) {
    std::error_code error;
    const fs::path behind_links = is_link(file) ? fs::canonical(file, error) : file;
    if (error) cannot_write(file, error.message(), kOtherPlace);
    replace_file(behind_links, file, content);
  } else {
    cannot_write(file, S_ISDIR(status.st_mode) ? std::strerror(EISDIR) : "it is not a file",
                 kOtherPlace);
  }
}

bool is_unfinished_file(std::string_view name) { return name.starts_with(kUnfinishedPrefix); }

void make_folder(const std::filesystem::path& folder, const char* hint) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = {ENOTDIR, std::generic_category()};
  if (error) cannot_write(folder, error.message(), hint);
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

void read_in_pieces(const std::filesystem::path& file, std::size_t limit,
                    const std::function<void(std::string_view)>& take) {
  RegularFile(file, Readers::anybody).read_all(limit, take);
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
  in_use().mutex.lock();    // for ever: nothing new may come while the process ends
  std::error_code ignored;  // the next process tries again
  for (const fs::path& path : in_use().paths) fs::remove_all(path, ignored);
}

void remove_abandoned_directories() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (!error) remove_abandoned(parent, kTemporaryPrefix);
}

}  // namespace grader
