#include "grader/intake/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntries = 20'000;  // looked at, whatever they are
constexpr int kDepth = 16;
constexpr std::size_t kNotices = 20;
constexpr std::size_t kNameShown = 120;
constexpr std::string_view kMarker = "not_submitted.txt";

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

std::string shown(const fs::path& name) { return plain_line(name.string(), kNameShown); }

// Opens one component without following a link, without blocking on a pipe, without changing the
// controlling terminal.
int open_beneath(int directory, const char* name) {
  return openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

[[noreturn]] void unreadable(const fs::path& name, int error) {
  throw UsageFault("Cannot read " + shown(name) + ": " + std::strerror(error) + ".",
                   "Check the path and its permissions.");
}

std::string in_kilobytes(std::int64_t bytes) { return std::to_string(bytes / 1024) + " KB"; }

// Names at the top of the libraries' include directories: folders of these names are copies of a
// library, and so is a folder that holds one of these files.
struct LibraryNames {
  std::set<std::string> folders;
  std::set<std::string> files;
};

LibraryNames library_names(const Policy& policy) {
  LibraryNames names;
  for (const std::string& include : policy.system_includes) {
    std::error_code error;
    for (fs::directory_iterator entry(include, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code unknown;
      (entry->is_directory(unknown) ? names.folders : names.files)
          .insert(entry->path().filename().string());
    }
  }
  return names;
}

class Walker {
 public:
  explicit Walker(const Policy& policy) : policy_(policy), libraries_(library_names(policy)) {}

  void enter(Descriptor descriptor, const fs::path& relative, const fs::path& whole, int depth);
  void read(const Descriptor& descriptor, const fs::path& relative, NameKind kind,
            const fs::path& whole);
  void refuse(std::string reason) {
    if (!result_.refusal) result_.refusal = std::move(reason);
  }
  Walk finish();
  Walk& result() { return result_; }

 private:
  std::vector<std::string> names_in(int descriptor, const fs::path& whole);
  void visit(int directory, const std::string& name, const fs::path& relative,
             const fs::path& whole, int depth);
  void notice(const fs::path& name, std::string_view why) {
    if (result_.notices.size() < kNotices) {
      result_.notices.push_back(shown(name) + " " + std::string(why));
    } else {
      ++unmentioned_;
    }
  }

  const Policy& policy_;
  LibraryNames libraries_;
  Walk result_;
  std::size_t entries_ = 0;
  std::int64_t bytes_ = 0;
  std::size_t unmentioned_ = 0;
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
    if (++entries_ > kEntries) {
      refuse("The folder holds more than " + std::to_string(kEntries) +
             " files: hand in only your sources.");
      break;
    }
    names.push_back(name);
    errno = 0;
  }
  if (errno != 0) unreadable(whole, errno);
  std::sort(names.begin(), names.end());
  return names;
}

void Walker::enter(Descriptor descriptor, const fs::path& relative, const fs::path& whole,
                   int depth) {
  if (depth > kDepth)
    return refuse("The folders are nested too deeply: hand in only your sources.");
  const int listed = openat(descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) unreadable(whole, errno);
  const std::vector<std::string> names = names_in(listed, whole);
  if (depth > 0) {
    const bool is_library = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return libraries_.files.contains(name);
    });
    if (is_library) {
      return notice(relative, "was left out: the grader uses its own copy of the library.");
    }
    if (std::find(names.begin(), names.end(), kMarker) != names.end()) return;
  }
  for (const std::string& name : names) {
    if (result_.refusal) return;
    visit(descriptor.get(), name, relative / name, whole / name, depth);
  }
}

void Walker::visit(int directory, const std::string& name, const fs::path& relative,
                   const fs::path& whole, int depth) {
  struct stat status {};
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return;  // it went away meanwhile
    unreadable(whole, errno);
  }
  const bool is_folder = S_ISDIR(status.st_mode);
  const NameKind kind = kind_of_file_name(name);
  if (name.starts_with('.') || (is_folder && is_skipped_folder(name))) return;
  if (is_folder && libraries_.folders.contains(name)) {
    return notice(relative, "was left out: the grader uses its own copy of the library.");
  }
  if (S_ISLNK(status.st_mode)) {
    return notice(relative, "was left out: it is a link, and links are not followed.");
  }
  if (!is_folder && kind == NameKind::irrelevant) return;
  if (!is_folder && kind == NameKind::product) {
    return notice(relative, "was left out: only C++ sources and headers are used.");
  }
  if (!is_plain_name(name)) {
    return notice(relative, "was left out: its name has unusual characters or is too long.");
  }
  if (!is_folder && !S_ISREG(status.st_mode)) {
    return notice(relative, "was left out: it is not a regular file.");
  }
  Descriptor descriptor(open_beneath(directory, name.c_str()));
  if (descriptor.get() < 0) {
    // Replaced by a link or removed since it was looked at.
    if (errno == ELOOP || errno == ENOENT) return;
    unreadable(whole, errno);
  }
  if (is_folder) {
    enter(Descriptor(descriptor.release()), relative, whole, depth + 1);
  } else {
    read(descriptor, relative, kind, whole);
  }
}

void Walker::read(const Descriptor& descriptor, const fs::path& relative, NameKind kind,
                  const fs::path& whole) {
  const Limits& limits = policy_.limits;
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) unreadable(whole, errno);
  if (!S_ISREG(status.st_mode)) return notice(relative, "was left out: it is not a regular file.");
  if (static_cast<std::int64_t>(result_.files.size()) >= limits.submission_files) {
    return refuse("The submission has more than " + std::to_string(limits.submission_files) +
                  " source files: hand in only your own.");
  }
  FoundFile file{relative, kind, {}};
  std::array<char, 1U << 16U> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unreadable(whole, errno);
    if (count == 0) break;
    bytes_ += count;
    file.content.append(buffer.data(), static_cast<std::size_t>(count));
    if (static_cast<std::int64_t>(file.content.size()) > limits.file_bytes) {
      return refuse(shown(relative) + " is larger than " + in_kilobytes(limits.file_bytes) +
                    ": hand in the source text alone.");
    }
    if (bytes_ > limits.submission_bytes) {
      return refuse("The sources are larger than " + in_kilobytes(limits.submission_bytes) +
                    " together: hand in only your own.");
    }
  }
  result_.files.push_back(std::move(file));
}

Walk Walker::finish() {
  if (unmentioned_ > 0) {
    result_.notices.push_back(std::to_string(unmentioned_) + " more files were left out.");
  }
  std::sort(result_.files.begin(), result_.files.end(),
            [](const FoundFile& left, const FoundFile& right) {
              return left.name.native() < right.name.native();
            });
  return std::move(result_);
}

}  // namespace

Walk walk(const fs::path& path, const Policy& policy) {
  std::string top = path.string();
  // A trailing slash would follow a link at the end.
  while (top.size() > 1 && top.ends_with('/')) top.pop_back();
  Walker walker(policy);
  Descriptor descriptor(open_beneath(AT_FDCWD, top.c_str()));
  if (descriptor.get() < 0) {
    if (errno == ELOOP) {
      walker.refuse("The submission is a symbolic link: hand in the file or folder itself.");
      return walker.finish();
    }
    if (errno == ENXIO) {  // a socket
      walker.refuse("The submission is neither a file nor a folder: hand in your source file.");
      return walker.finish();
    }
    if (errno == ENOENT || errno == ENOTDIR) {
      throw UsageFault("There is no file or folder " + shown(path) + ".",
                       "Check the path of the submission.");
    }
    unreadable(path, errno);
  }
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) unreadable(path, errno);
  if (S_ISDIR(status.st_mode)) {
    walker.result().is_directory = true;
    walker.enter(Descriptor(descriptor.release()), {}, top, 0);
  } else if (S_ISREG(status.st_mode)) {
    const fs::path name = fs::path(top).filename();
    walker.read(descriptor, name, kind_of_file_name(name.string()), path);
  } else {
    walker.refuse("The submission is neither a file nor a folder: hand in your source file.");
  }
  return walker.finish();
}

}  // namespace grader
