// From what was downloaded to a list of attempts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/attempt.hpp"

namespace grader {

struct CollectOptions {
  std::string main_file;  ///< of the assignment: a folder that holds it is one submission
  /// Seconds east of Greenwich, for times that an LMS writes without an offset: the deadline's.
  std::int64_t utc_offset = 0;
};

/// Finds the attempts in `sources`: files, folders and archives, each a download of an LMS, clones
/// of GitHub Classroom, or a plain folder of submissions. Archives are unpacked into
/// `workspace`/source-N (N from 1, whatever lay there is replaced), through intake's confined
/// reader; attempts in several loose files are put together there. Attempts found in folders are
/// read where they lie. The same sources give the same collection in the same order.
///
/// A source that cannot be used is left out with its reason, and the others are taken. Throws
/// UsageFault when a source does not exist or when there is no attempt in any of them,
/// EnvironmentFault when the workspace cannot be written.
Collection collect(const std::vector<std::filesystem::path>& sources,
                   const std::filesystem::path& workspace, const CollectOptions& options);

}  // namespace grader
