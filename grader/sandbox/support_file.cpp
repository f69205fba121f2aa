#include "grader/sandbox/support_file.hpp"

#include <unistd.h>

#include <system_error>

#include "grader/base/fault.hpp"

namespace grader {

std::filesystem::path support_file(const std::string& name) {
  std::error_code error;
  std::filesystem::path directory =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  // Installed programs have it one level above; in a build tree tests lie some levels deeper.
  constexpr int kLevels = 4;
  for (int level = 0; level < kLevels && !error; ++level) {
    std::filesystem::path candidate = directory / "lib/attention-grader" / name;
    if (::access(candidate.c_str(), R_OK) == 0) {
      return candidate;
    }
    directory = directory.parent_path();
  }
  throw EnvironmentFault("the file " + name + " is missing beside the grader",
                         "Build or install the grader again (scripts/grade does).");
}

}  // namespace grader
