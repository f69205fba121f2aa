#include "grader/sandbox/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "grader/base/fault.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

// The headers of the C library and of the kernel are older than some kernels that we run on, so the
// interface is written down here. Numbers are the same on every architecture.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

struct RulesetAttributes {
  std::uint64_t files;
  std::uint64_t network;  ///< since version 4
  std::uint64_t scopes;   ///< since version 6
};
struct [[gnu::packed]] PathAttributes {
  std::uint64_t rights;
  std::int32_t parent;
};

constexpr std::uint64_t kExecute = 1U << 0U;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kReadFile = 1U << 2U;
constexpr std::uint64_t kReadDirectory = 1U << 3U;
constexpr std::uint64_t kRemoveDirectory = 1U << 4U;
constexpr std::uint64_t kRemoveFile = 1U << 5U;
constexpr std::uint64_t kMakeDirectory = 1U << 7U;
constexpr std::uint64_t kMakeRegular = 1U << 8U;
constexpr std::uint64_t kTruncate = 1U << 14U;

// Every right to files that a version knows: 13 at first, then moving between directories,
// truncating, and controls of devices.
std::uint64_t known_rights(int version) {
  unsigned count = 13;
  count += version >= 2 ? 1 : 0;
  count += version >= 3 ? 1 : 0;
  count += version >= 5 ? 1 : 0;
  return (std::uint64_t{1} << count) - 1;
}

std::uint64_t bits(FileRights rights) {
  switch (rights) {
    case FileRights::read: return kReadFile | kReadDirectory;
    case FileRights::read_execute: return kReadFile | kReadDirectory | kExecute;
    case FileRights::read_write:
      return kReadFile | kReadDirectory | kWriteFile | kRemoveDirectory | kRemoveFile |
             kMakeDirectory | kMakeRegular | kTruncate;
  }
  throw InternalFault("landlock: unknown rights");
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

LandlockRules::LandlockRules() : version_(landlock_version()), handled_(known_rights(version_)) {
  constexpr std::uint64_t kBindAndConnect = 3;
  constexpr std::uint64_t kAbstractSocketsAndSignals = 3;
  RulesetAttributes attributes{handled_, 0, 0};
  std::size_t size = sizeof attributes.files;
  if (version_ >= 4) {
    attributes.network = kBindAndConnect;
    size += sizeof attributes.network;
  }
  if (version_ >= 6) {
    attributes.scopes = kAbstractSocketsAndSignals;
    size += sizeof attributes.scopes;
  }
  rules_.reset(static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0U)));
  if (!rules_) {
    throw_system_error("restrict files by Landlock");
  }
}

void LandlockRules::allow(const std::string& path, FileRights rights) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return;
    }
    throw_system_error("open " + path);
  }
  allow(place.get(), rights);
}

void LandlockRules::allow(int descriptor, FileRights rights) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    throw_system_error("examine a place for the sandbox");
  }
  std::uint64_t wanted = bits(rights) & handled_;
  if (!S_ISDIR(status.st_mode)) {
    wanted &= kExecute | kWriteFile | kReadFile | kTruncate;
  }
  const PathAttributes attributes{wanted, descriptor};
  if (::syscall(kAddRule, rules_.get(), kPathBeneath, &attributes, 0U) != 0) {
    throw_system_error("restrict files by Landlock");
  }
}

}  // namespace grader
