#include "grader/batch/unpack.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/batch/identity.hpp"
#include "grader/batch/listing.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/archive_process.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestComponent = 255;
constexpr std::size_t kLongestPath = 2000;
constexpr int kMostComponents = 32;
constexpr const char* kFreeSpace = "Free some space, or choose another place with --out.";

/// The archive's bytes without a copy: a class's may be larger than the memory.
class MappedFile {
 public:
  explicit MappedFile(const fs::path& file)
      : descriptor_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    struct stat status {};
    if (!descriptor_ || fstat(descriptor_.get(), &status) != 0) fail(file);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;
    bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_.get(), 0);
    if (bytes_ == MAP_FAILED) fail(file);
  }
  ~MappedFile() {
    if (size_ > 0) munmap(bytes_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  [[noreturn]] static void fail(const fs::path& file) {
    throw UsageFault("Cannot read " + shown_name(file.string()) + ": " + std::strerror(errno) + ".",
                     "Check the path and its permissions.");
  }

  Descriptor descriptor_;
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// Calls `visit` for each component of `name` but "." and empty ones, until it says false.
template <class Visit>
bool each_component(std::string_view name, const Visit& visit) {
  while (!name.empty()) {
    const std::size_t slash = name.find('/');
    const std::string_view component = name.substr(0, slash);
    if (!component.empty() && component != "." && !visit(component)) return false;
    name.remove_prefix(slash == std::string_view::npos ? name.size() : slash + 1);
  }
  return true;
}

bool is_worth_unpacking(std::string_view name) {
  return each_component(name, [](std::string_view component) { return !is_clutter(component); });
}

ArchiveLimits limits_of_downloads() {
  ArchiveLimits limits;
  limits.keeps = is_worth_unpacking;
  limits.file_bytes = kLargestArchive;
  limits.entries = 200'000;
  limits.kept = std::int64_t{8} << 30;
  limits.inflated = std::int64_t{16} << 30;
  limits.free_ratio = std::int64_t{2} << 30;
  limits.cpu_seconds = 300;
  limits.wall_seconds = 3600;
  return limits;
}

class Unpacking {
 public:
  using LeaveOut = std::function<void(const std::string& name, const std::string& reason)>;

  Unpacking(const fs::path& folder, const LeaveOut& leave_out)
      : folder_(folder), leave_out_(leave_out) {
    make_folders(folder_);
  }

  void take(const Member& member) {
    fs::path path = folder_;
    if (const char* reason = place_of(member, path)) return leave_out_(member.name, reason);
    if (path == folder_ || path.empty()) return;
    if (member.kind == EntryKind::folder) {
      if (!make_folders(path)) leave_out_(member.name, kPlaceIsTaken);
      return;
    }
    std::error_code error;
    if (!make_folders(path.parent_path()) ||
        fs::symlink_status(path, error).type() != fs::file_type::not_found) {
      return leave_out_(member.name, kPlaceIsTaken);
    }
    write_new(path, member.content, kFreeSpace);
    if (member.is_too_large) fs::resize_file(path, kLargestArchive + 1);
  }

 private:
  static constexpr const char* kPlaceIsTaken =
      "Another member of the archive has this place; the first one is taken.";

  // Adds the member's components to `path`; empties it for what is skipped without a word. Returns
  // the reason why it is left out, or null.
  const char* place_of(const Member& member, fs::path& path) {
    if (member.name.starts_with('/')) return "Its name leads out of the archive.";
    if (member.name.find('\\') != std::string::npos) return "Its name has a backslash.";
    if (member.name.size() > kLongestPath) return "Its name is too long.";
    const char* reason = nullptr;
    int components = 0;
    const bool is_visible = each_component(member.name, [&](std::string_view component) {
      if (component == "..") reason = "Its name leads out of the archive.";
      if (component.size() > kLongestComponent) reason = "Its name is too long.";
      if (++components > kMostComponents) reason = "Its folders are nested too deeply.";
      path /= component;
      return reason == nullptr && !is_clutter(component);
    });
    if (reason == nullptr && !is_visible) {
      // Clones are recognised by it.
      if (path.filename() == ".git") make_folders(path);
      path.clear();
      return nullptr;
    }
    if (reason == nullptr && member.kind == EntryKind::link) {
      reason = "It is a link, and links are not followed.";
    }
    if (reason == nullptr && member.kind == EntryKind::other) reason = "It is not a regular file.";
    return reason;
  }

  // False where a file is in the way.
  bool make_folders(const fs::path& path) {
    if (path == last_made_) return true;
    std::error_code error;
    fs::create_directories(path, error);
    if (!error && !fs::is_directory(path)) error = std::make_error_code(std::errc::not_a_directory);
    if (error == std::errc::not_a_directory || error == std::errc::file_exists) return false;
    if (error) {
      throw EnvironmentFault("Cannot make " + path.string() + ": " + error.message() + ".",
                             kFreeSpace);
    }
    last_made_ = path;
    return true;
  }

  const fs::path& folder_;
  const LeaveOut& leave_out_;
  fs::path last_made_;
};

// What is wrong, without the advice for students behind it.
std::string for_instructors(const std::string& refusal) {
  return refusal.substr(0, refusal.rfind(": ")) +
         ": download it again, or unpack it yourself and name the folder.";
}

}  // namespace

std::optional<std::string> unpack(
    const fs::path& archive, const fs::path& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& leave_out) {
  const MappedFile file(archive);
  if (file.bytes().starts_with("Rar!")) return for_instructors("is a RAR archive: ");
  Unpacking unpacking(folder, leave_out);
  const auto refusal = stream_archive_apart(file.bytes(), limits_of_downloads(),
                                            [&](const Member& member) { unpacking.take(member); });
  if (!refusal) return std::nullopt;
  fs::remove_all(folder);
  return for_instructors(*refusal);
}

}  // namespace grader
