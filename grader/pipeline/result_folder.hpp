// The folder that a grading run leaves behind: scorecard.json and the clean submission.
#pragma once

#include <filesystem>
#include <string_view>

namespace grader {

/// A folder that is known to be writable before anything is graded. What was not written to is
/// removed again if it did not exist before.
class ResultFolder {
 public:
  /// Makes `directory` (and its parents) and tries to write there. Throws UsageFault when the name
  /// belongs to something else, EnvironmentFault when the folder cannot be made or written.
  explicit ResultFolder(const std::filesystem::path& directory);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  /// Replaces `submission/` by a copy of `clean_tree`, then `report.html` by `page` and then
  /// `scorecard.json` by `document`, each in one step, so that all are whole or absent. A
  /// `clean_tree` that does not exist (a refused submission) removes an earlier one. Throws
  /// EnvironmentFault; an earlier scorecard is then still there, or none.
  void write(const std::filesystem::path& clean_tree, std::string_view document,
             std::string_view page);

  [[nodiscard]] std::filesystem::path scorecard() const { return directory_ / "scorecard.json"; }
  [[nodiscard]] std::filesystem::path page() const { return directory_ / "report.html"; }

 private:
  std::filesystem::path directory_;
  std::filesystem::path made_;  ///< the topmost folder that this object made, or empty
  bool is_written_ = false;
};

}  // namespace grader
