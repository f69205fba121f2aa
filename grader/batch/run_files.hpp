// The files of one run: what attempt.json says, and both ways between a run's folder and records.
#pragma once

#include <filesystem>
#include <string>

#include "grader/gradebook/records.hpp"

namespace grader {

/// What attempt.json says beside the scorecard. The same run gives the same bytes.
struct AttemptFile {
  SubmissionRecord submission;
  std::string name;  ///< of the student, for people
  std::string content;
  std::string configuration;
  std::string needs_attention;  ///< why there is no grade, or empty
};

inline constexpr const char* kAttemptFileName = "attempt.json";
inline constexpr const char* kScorecardName = "scorecard.json";

std::string attempt_to_json(const AttemptFile& attempt);
/// Throws UsageFault when `text` is not what attempt_to_json writes; `name` is what messages call
/// it.
AttemptFile attempt_from_json(const std::string& text, const std::string& name);

/// A run as it lies on the disk.
struct StoredRun {
  AttemptFile attempt;
  RunRecord run;
};

/// The run in `root`/`folder`. Throws UsageFault when a file of it is missing or damaged.
StoredRun read_run(const std::filesystem::path& root, const std::string& folder);

/// Forces every file and folder of `tree` to the disk. Throws EnvironmentFault.
void sync_tree(const std::filesystem::path& tree);
/// Forces the names in `directory` to the disk. Throws EnvironmentFault.
void sync_folder(const std::filesystem::path& directory);

}  // namespace grader
