#include "grader/pipeline/kept_results.hpp"

#include <sys/stat.h>

#include <system_error>

#include "grader/base/cache.hpp"
#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

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

std::optional<Scorecard> KeptResults::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  const fs::path file = directory_ / (key + ".json");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    Scorecard scorecard = read_scorecard(file);
    note_use(file);
    return scorecard;
  } catch (const UsageFault&) {
    return std::nullopt;  // as documented: it is made again, and replaced
  }
}

void KeptResults::keep(const std::string& key, const Scorecard& scorecard) const {
  if (directory_.empty()) return;
  try {
    write_atomically(directory_ / (key + ".json"), scorecard_to_json(scorecard));
    remove_unused(directory_);
  } catch (const EnvironmentFault&) {
    return;  // as documented: a result that is not kept is made again
  }
}

}  // namespace grader
