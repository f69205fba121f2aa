#include "grader/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

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

std::string read_file(const std::filesystem::path& file, std::size_t limit) {
  const auto fail = [&](const std::string& why, const std::string& hint) {
    throw UsageFault("Cannot read " + file.string() + ": " + why + ".", hint);
  };
  const Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) fail(std::strerror(errno), "Check the path and its permissions.");
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    fail("it is not a regular file", "Name a file.");
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

void open_for_reading(const std::filesystem::path& tree) {
  namespace fs = std::filesystem;
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
  std::string name =
      (std::filesystem::temp_directory_path(error) / "attention-grader-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) {
    throw EnvironmentFault("Cannot make a temporary directory: " +
                               std::string(error ? error.message() : std::strerror(errno)) + ".",
                           "Free some space, or set TMPDIR to a directory you may write to.");
  }
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // nothing can be done about a leftover while unwinding
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace grader
