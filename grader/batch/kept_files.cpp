#include "grader/batch/kept_files.hpp"

#include <system_error>

namespace grader {

namespace fs = std::filesystem;

bool is_kept_by_batch(const fs::path& root, const fs::path& path) {
  std::error_code error;
  const fs::path below =
      fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(root, error));
  if (error || below.empty()) return false;
  const std::string name = below.begin()->string();
  return name == "batch.json" || name == "roster.csv" || name == "overrides.jsonl" ||
         name == "students" || name == ".lock" || name == ".work" ||
         name.starts_with("gradebook.sqlite");  // and its journals
}

}  // namespace grader
