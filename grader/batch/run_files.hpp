// The files of one run: what attempt.json says, and both ways between a run's folder and records.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/gradebook/records.hpp"
#include "grader/pipeline/regrade_check.hpp"

namespace grader {

/// What attempt.json says beside the scorecard. The same run gives the same bytes.
struct AttemptFile {
  SubmissionRecord submission;
  std::string name;  ///< of the student, for people
  std::string content;
  std::string configuration;
  std::string needs_attention;               ///< why there is no grade, or empty
  std::vector<RegradedCheck> regraded = {};  ///< see EarlierResult
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

/// The result in the run's folder `place`, to keep but for one check. Throws UsageFault like
/// read_run.
EarlierResult read_earlier_result(const std::filesystem::path& place);

/// Forces every file and folder of `tree` to the disk. Throws EnvironmentFault.
void sync_tree(const std::filesystem::path& tree);
/// Forces the names in `directory` to the disk. Throws EnvironmentFault.
void sync_folder(const std::filesystem::path& directory);

}  // namespace grader
