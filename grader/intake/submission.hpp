// A submission after intake: a clean tree of source files that nothing outside can change any more.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

struct Submission {
  std::string id;                   ///< from the file or folder name, [A-Za-z0-9._-] only
  std::filesystem::path directory;  ///< the clean tree, owned by the grader
  /// What is compiled, relative to `directory`, sorted; the main file is among them.
  std::vector<std::filesystem::path> sources;
  std::vector<SubmittedFile> files;  ///< sorted by name
  /// SHA-256 over names and contents of `files`: independent of where the submission lay.
  std::string digest;
  std::vector<std::string> notices;  ///< what was left out or changed, one sentence each
};

/// The submission's content is unacceptable: data for the scorecard, not an error of the grader.
struct Refused {
  std::string id;
  std::string reason;  ///< one sentence with what to do
  std::vector<std::string> notices;
};

using Intake = std::variant<Submission, Refused>;

}  // namespace grader
