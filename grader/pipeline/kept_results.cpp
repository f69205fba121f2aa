#include "grader/pipeline/kept_results.hpp"

#include <sys/stat.h>

#include <system_error>

#include "grader/base/cache.hpp"
#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/host/sandboxed.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestDocument = std::size_t{16} << 20U;

// Another build of a program may judge otherwise, whatever its version is called.
void add_program(Digest& digest, const fs::path& program) {
  struct stat status {};
  if (::stat(program.c_str(), &status) != 0) return;
  for (const auto number : {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec}) {
    digest.add(std::to_string(number));
  }
}

}  // namespace

KeptResults::KeptResults() {
  const fs::path cache = cache_directory();
  if (cache.empty()) return;
  const fs::path directory = cache / "results";
  ::mkdir(directory.c_str(), 0700);
  if (is_trusted(directory)) directory_ = directory;
}

std::string KeptResults::key(const Submission& submission, const std::string& configuration,
                             const std::string& stamp, const std::string& highest_level) {
  Digest digest;
  digest.add(submission.id).add(submission.digest).add(configuration).add(stamp);
  digest.add(highest_level);
  add_program(digest, "/proc/self/exe");
  add_program(digest, default_host_program());
  // Notices tell what was left out, which the digest of what was taken in does not know.
  for (const std::string& notice : submission.notices) digest.add(notice);
  return digest.hex();
}

std::optional<std::string> KeptResults::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  const fs::path file = directory_ / (key + ".json");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::string document = read_file(file, kLargestDocument);
  note_use(file);
  return document;
}

void KeptResults::keep(const std::string& key, std::string_view document) const {
  if (directory_.empty() || document.size() > kLargestDocument) return;
  try {
    write_atomically(directory_ / (key + ".json"), document);
    remove_unused(directory_);
  } catch (const EnvironmentFault&) {
    return;  // as documented: a result that is not kept is made again
  }
}

}  // namespace grader
