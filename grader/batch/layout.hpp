// Where things are in the results folder of a batch.
//
//   DIR/batch.json                      whose results these are; what was left out of the sources
//   DIR/roster.csv                      the roster that was given last
//   DIR/overrides.jsonl                 scores that a person set, one a line, only ever appended
//   DIR/gradebook.sqlite                index of all this, made again when it is missing
//   DIR/class.html, DIR/class.csv       the class as a web page and as a table
//   DIR/students/STUDENT/attempt-N/run-M/
//     attempt.json                      whose it is, what was graded, why it was not
//     scorecard.json report.html submission/   as `attention-grader grade` writes them
//   DIR/.lock, DIR/.work/               while a batch runs
//
// A run's folder is made elsewhere and renamed into place, and never changed afterwards: it is
// whole or absent, and grading again adds a run. Everything else can be made from these folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// The student's folder below students/: the key itself where it is lower-case [a-z0-9._-], else
/// what is left of it and a digest, so that no two students share a folder on any file system.
std::string student_folder(const std::string& key);

class BatchLayout {
 public:
  explicit BatchLayout(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path batch() const { return root_ / "batch.json"; }
  [[nodiscard]] std::filesystem::path roster() const { return root_ / "roster.csv"; }
  [[nodiscard]] std::filesystem::path overrides() const { return root_ / "overrides.jsonl"; }
  [[nodiscard]] std::filesystem::path gradebook() const { return root_ / "gradebook.sqlite"; }
  [[nodiscard]] std::filesystem::path table() const { return root_ / "class.csv"; }
  [[nodiscard]] std::filesystem::path page() const { return root_ / "class.html"; }
  [[nodiscard]] std::filesystem::path lock() const { return root_ / ".lock"; }
  [[nodiscard]] std::filesystem::path work() const { return root_ / ".work"; }

  /// Relative to the root: "students/ada/attempt-1/run-2".
  static std::string run_folder(const std::string& student, std::int64_t attempt, std::int64_t run);
  /// The number of the next run of this attempt, by what is on the disk.
  [[nodiscard]] std::int64_t next_run(const std::string& student, std::int64_t attempt) const;
  /// The folders of all runs on the disk, relative to the root, sorted.
  [[nodiscard]] std::vector<std::string> run_folders() const;

 private:
  std::filesystem::path root_;
};

}  // namespace grader
