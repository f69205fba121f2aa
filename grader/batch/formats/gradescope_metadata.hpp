// submission_metadata.yml: who handed in which folder of a Gradescope export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grader {

struct GradescopeSubmitter {
  std::string name;
  std::string sid;
  std::string email;
};

struct GradescopeSubmission {
  std::vector<GradescopeSubmitter> submitters;  ///< several in a group
  std::optional<std::int64_t> created_at;       ///< Unix seconds
};

/// By the name of the folder, "submission_123". Nothing when the file cannot be read as YAML of
/// that kind. Everything else in it, such as results and history, is passed over unkept.
std::optional<std::map<std::string, GradescopeSubmission>> read_gradescope_metadata(
    const std::filesystem::path& file);

}  // namespace grader
