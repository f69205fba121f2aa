// The results folder of a batch while one process works on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/batch/attempt.hpp"
#include "grader/batch/layout.hpp"
#include "grader/batch/selection.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {

/// What batch.json says: whose results these are, and what is known of the last run of the batch
/// besides the results themselves.
struct BatchFile {
  std::string assignment_id;
  std::string assignment;  ///< its folder; empty: the installed one
  WhichAttempts which = WhichAttempts::last;
  std::vector<std::string> sources;
  std::vector<LeftOut> left_out;
  std::vector<std::string> notices;
  /// How many attempts each student has handed in, of those who have handed in several.
  std::map<std::string, std::int64_t> handed_in = {};
};

/// BatchFile::handed_in of these attempts.
std::map<std::string, std::int64_t> several_attempts_in(const std::vector<Attempt>& attempts);

std::string batch_to_json(const BatchFile& batch);
/// Throws UsageFault when `text` is not what batch_to_json writes, or of a later version.
BatchFile batch_from_json(const std::string& text, const std::string& name);
/// The batch.json of `layout`. Throws UsageFault when the folder is not the results of a batch.
BatchFile read_batch_file(const BatchLayout& layout);

/// A results folder that this process alone may write to.
class BatchFolder {
 public:
  /// Makes or enters `directory`, takes its lock, and removes what an interrupted run has left
  /// unfinished. Throws UsageFault when the folder holds something else, results of another
  /// assignment or of a later version, or when another process works on it; EnvironmentFault when
  /// it cannot be written.
  BatchFolder(const std::filesystem::path& directory, const std::string& assignment_id);
  /// Removes the folder for work, and the whole folder if it was made for nothing.
  ~BatchFolder();
  BatchFolder(const BatchFolder&) = delete;
  BatchFolder& operator=(const BatchFolder&) = delete;

  [[nodiscard]] const BatchLayout& layout() const { return layout_; }
  /// Writes batch.json. Throws EnvironmentFault.
  void describe(const BatchFile& batch);
  /// An empty folder `name` in the folder for work. Throws EnvironmentFault.
  [[nodiscard]] std::filesystem::path workplace(const std::string& name) const;
  /// Renames a finished run's files, which lie in the folder for work, into place. Throws
  /// EnvironmentFault.
  void adopt(const std::filesystem::path& finished, const std::string& run_folder) const;

 private:
  BatchLayout layout_;
  Descriptor lock_;
  bool is_made_ = false;       ///< the folder did not exist before
  bool is_described_ = false;  ///< there is a batch.json
};

/// Locks the results folder of `layout` for as long as the descriptor is open. Throws UsageFault
/// when another process has it, EnvironmentFault when there is no lock to be had.
Descriptor lock_results(const BatchLayout& layout);

}  // namespace grader
