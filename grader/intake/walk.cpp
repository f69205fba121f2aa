#include "grader/intake/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/intake/archive.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

// Without following a link, without blocking on a pipe, without changing the controlling terminal.
constexpr int kReadSafely = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

// Opens one component of a path beneath `directory`. The kernel itself holds the way to that; older
// kernels and some containers lack openat2, and there a single component that is no link cannot
// lead anywhere else either: `name` never has a slash and is never "..".
int open_beneath(int directory, const char* name) {
  open_how how{};
  how.flags = kReadSafely;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long opened = syscall(SYS_openat2, directory, name, &how, sizeof how);
  if (opened >= 0) return static_cast<int>(opened);
  // EAGAIN: something was renamed meanwhile, and the kernel cannot tell.
  if (errno != ENOSYS && errno != EPERM && errno != EAGAIN) return -1;
  return openat(directory, name, kReadSafely);
}

[[noreturn]] void unreadable(const fs::path& name, int error) {
  throw UsageFault("Cannot read " + shown(name) + ": " + std::strerror(error) + ".",
                   "Check the path and its permissions.");
}

ssize_t read_some(const Descriptor& descriptor, char* buffer, std::size_t size,
                  const fs::path& whole) {
  while (true) {
    const ssize_t count = ::read(descriptor.get(), buffer, size);
    if (count >= 0) return count;
    if (errno != EINTR) unreadable(whole, errno);
  }
}

EntryKind kind_of(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return EntryKind::file;
  if (S_ISDIR(status.st_mode)) return EntryKind::folder;
  return S_ISLNK(status.st_mode) ? EntryKind::link : EntryKind::other;
}

// `relative` is how the submission calls it, `whole` how the person who grades does.
class Walker {
 public:
  explicit Walker(Collector& collector) : collector_(collector) {}

  void enter(const Descriptor& descriptor, const fs::path& relative, const fs::path& whole);
  void read(const Descriptor& descriptor, const fs::path& relative, const fs::path& whole);

 private:
  std::vector<std::string> names_in(int descriptor, const fs::path& whole);
  void visit(int directory, const std::string& name, const fs::path& relative,
             const fs::path& whole);

  Collector& collector_;
};

std::vector<std::string> Walker::names_in(int descriptor, const fs::path& whole) {
  const std::unique_ptr<DIR, CloseDirectory> directory(fdopendir(descriptor));
  if (!directory) {
    const int error = errno;
    close(descriptor);
    unreadable(whole, error);
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(directory.get())) {
    const std::string name = static_cast<const char*>(entry->d_name);
    if (name == "." || name == "..") continue;
    if (!collector_.count_entry()) return {};
    names.push_back(name);
    errno = 0;
  }
  if (errno != 0) unreadable(whole, errno);
  std::sort(names.begin(), names.end());
  return names;
}

void Walker::enter(const Descriptor& descriptor, const fs::path& relative, const fs::path& whole) {
  const int listed = openat(descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) unreadable(whole, errno);
  const std::vector<std::string> names = names_in(listed, whole);
  if (!collector_.enters(relative, names)) return;
  for (const std::string& name : names) {
    if (collector_.is_refused()) return;
    visit(descriptor.get(), name, relative / name, whole / name);
  }
}

void Walker::visit(int directory, const std::string& name, const fs::path& relative,
                   const fs::path& whole) {
  struct stat status {};
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return;  // it went away meanwhile
    unreadable(whole, errno);
  }
  const EntryKind kind = kind_of(status);
  if (!collector_.wants(relative, kind)) return;
  const Descriptor descriptor(open_beneath(directory, name.c_str()));
  if (!descriptor) {
    // Replaced by a link or removed since it was looked at.
    if (errno == ELOOP || errno == ENOENT) return;
    unreadable(whole, errno);
  }
  if (kind == EntryKind::folder) {
    enter(descriptor, relative, whole);
  } else {
    read(descriptor, relative, whole);
  }
}

void Walker::read(const Descriptor& descriptor, const fs::path& relative, const fs::path& whole) {
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) unreadable(whole, errno);
  if (!S_ISREG(status.st_mode)) {
    return collector_.leave_out(relative, "was left out: it is not a regular file.");
  }
  if (!collector_.begin_file(relative)) return;
  std::array<char, 1U << 16U> buffer{};
  while (const ssize_t count = read_some(descriptor, buffer.data(), buffer.size(), whole)) {
    if (!collector_.append({buffer.data(), static_cast<std::size_t>(count)})) return;
  }
}

// The archive whole in memory, so that nothing can change it between a look and the next.
std::optional<std::string> read_archive_file(const Descriptor& descriptor, const fs::path& whole) {
  std::string content;
  std::array<char, 1U << 16U> buffer{};
  while (const ssize_t count = read_some(descriptor, buffer.data(), buffer.size(), whole)) {
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (static_cast<std::int64_t>(content.size()) > kLargestArchive) return std::nullopt;
  }
  return content;
}

Walk walk_file(const Descriptor& descriptor, const fs::path& whole, const Policy& policy,
               Collector& collector) {
  const fs::path name = whole.filename();
  std::array<char, kArchiveHead> head{};
  const ssize_t count = pread(descriptor.get(), head.data(), head.size(), 0);
  if (count < 0) unreadable(whole, errno);
  if (!is_archive(name.string(), {head.data(), static_cast<std::size_t>(count)})) {
    Walker(collector).read(descriptor, name, whole);
    return collector.finish(HandedIn::file);
  }
  if (const auto content = read_archive_file(descriptor, whole)) {
    take_archive(name, *content, policy, collector);
  } else {
    collector.refuse(shown(name) + " is larger than " + std::to_string(kLargestArchive >> 20) +
                     " MB: hand in only your sources.");
  }
  return collector.finish(HandedIn::archive);
}

}  // namespace

Walk walk(const fs::path& path, const Policy& policy) {
  std::string top = path.string();
  // A trailing slash would follow a link at the end.
  while (top.size() > 1 && top.ends_with('/')) top.pop_back();
  Collector collector(policy);
  const auto refused = [&](std::string reason) {
    collector.refuse(std::move(reason));
    return collector.finish(HandedIn::file);
  };
  // The way to the submission is the user's own and may have links; only its end may not.
  const Descriptor descriptor(open(top.c_str(), kReadSafely));
  if (!descriptor) {
    if (errno == ELOOP) {
      return refused("The submission is a symbolic link: hand in the file or folder itself.");
    }
    if (errno == ENXIO) {  // a socket
      return refused("The submission is neither a file nor a folder: hand in your source file.");
    }
    if (errno == ENOENT || errno == ENOTDIR) {
      throw UsageFault("There is no file or folder " + shown(path) + ".",
                       "Check the path of the submission.");
    }
    unreadable(path, errno);
  }
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) unreadable(path, errno);
  switch (kind_of(status)) {
    case EntryKind::file: return walk_file(descriptor, top, policy, collector);
    case EntryKind::folder:
      Walker(collector).enter(descriptor, {}, top);
      return collector.finish(HandedIn::folder);
    case EntryKind::link:
    case EntryKind::other: break;
  }
  return refused("The submission is neither a file nor a folder: hand in your source file.");
}

}  // namespace grader
