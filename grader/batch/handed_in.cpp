#include "grader/batch/handed_in.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/walk.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// "attention.cpp" for a source whatever its name; else "submission" and the ending, so that intake
// still knows what it is.
std::string neutral_name(const fs::path& path, const Policy& policy) {
  if (kind_of_file_name(path.filename().string()) == NameKind::source) return policy.main_file;
  std::string ending = lower_case(path.extension().string());
  if (lower_case(path.stem().extension().string()) == ".tar") ending = ".tar" + ending;
  return "submission" + ending;
}

// Only a regular file, never the target of a link.
Descriptor open_regular(const fs::path& path) {
  Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!descriptor || fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return descriptor;
}

}  // namespace

std::string content_digest(const fs::path& path, const Policy& policy) {
  const Walk found = walk(path, policy);
  Digest digest;
  digest.add(std::to_string(static_cast<int>(found.handed_in)));
  if (found.handed_in == HandedIn::file) digest.add(neutral_name(path, policy));
  digest.add(std::to_string(found.files.size()));
  for (const FoundFile& file : found.files) {
    if (found.handed_in != HandedIn::file) digest.add(file.name.string());
    digest.add(file.content);
  }
  for (const std::string& notice : found.notices) digest.add(notice);
  if (found.refusal) digest.add("refused").add(*found.refusal);
  return digest.hex();
}

fs::path under_neutral_name(const fs::path& path, const Policy& policy, const fs::path& workspace) {
  const Descriptor source = open_regular(path);
  if (!source) return path;  // a folder, or something that intake refuses or does not find
  fs::path copy = workspace / neutral_name(path, policy);
  std::ofstream target(copy, std::ios::binary);
  std::array<char, 1U << 16U> buffer{};
  // One byte more than intake ever reads is as refused as all the others.
  std::int64_t left = kLargestArchive + 1;
  while (left > 0) {
    const ssize_t count = read(source.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw UsageFault("Cannot read " + path.string() + ": " +
                           std::error_code(errno, std::generic_category()).message() + ".",
                       "Check the disk and the permissions.");
    }
    if (count == 0) break;
    target.write(buffer.data(), count);
    left -= count;
  }
  target.close();
  if (!target) {
    throw EnvironmentFault("Cannot copy a submission to " + workspace.string() + ".",
                           "Free some space, or set TMPDIR to a directory you may write to.");
  }
  return copy;
}

}  // namespace grader
