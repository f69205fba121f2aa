// Reads the files of a submission without ever leaving its directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/intake/names.hpp"

namespace grader {

/// A source or header of a submission, whole in memory.
struct FoundFile {
  std::filesystem::path name;  ///< relative to the submission
  NameKind kind = NameKind::source;
  std::string content;
};

struct Walk {
  bool is_directory = false;
  std::vector<FoundFile> files;        ///< sorted by name
  std::vector<std::string> notices;    ///< what was left out, one sentence each
  std::optional<std::string> refusal;  ///< a limit or a link at the top: one sentence
};

/// Collects the sources and headers at and beneath `path` within the limits of `policy`. Throws
/// UsageFault when `path` does not exist or something in it cannot be read.
Walk walk(const std::filesystem::path& path, const Policy& policy);

}  // namespace grader
