// The results of a class in one SQLite file.
//
// The gradebook is an index: the files of each run say the same, and it can be made again from
// them. One process writes at a time; others may read meanwhile (WAL).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/records.hpp"

namespace grader {

class GradebookDatabase;

class Gradebook {
 public:
  enum class Access : std::uint8_t { read, write };

  /// Opens `file`; for writing it is made if absent and brought to today's version. Throws
  /// UsageFault when it is absent (read), no gradebook or of a newer version; EnvironmentFault when
  /// the disk or the permissions do not allow it. All members throw EnvironmentFault likewise.
  Gradebook(const std::filesystem::path& file, Access access);
  ~Gradebook();
  Gradebook(const Gradebook&) = delete;
  Gradebook& operator=(const Gradebook&) = delete;

  /// Enters a student, or the new name of one; an empty name leaves a known one.
  void put_student(const StudentRecord& student);
  /// Enters a run with its submission (and its student) in one step; a run of the same folder is
  /// replaced.
  void put_run(const SubmissionRecord& submission, const RunRecord& run);
  /// Forgets the run of `folder`, whose files are gone.
  void forget_run(const std::string& folder);
  /// Replaces what is known of overrides.
  void put_overrides(const std::vector<OverrideRecord>& overrides);
  /// Enters a delivery in place of the student's earlier one to the same line item. On the disk
  /// when it returns; not within a bundle.
  void put_delivery(const DeliveryRecord& delivery);
  /// What follows until the end of the returned object's life is written in one step, or not at
  /// all.
  class Bundle {
   public:
    virtual ~Bundle() = default;
    virtual void commit() = 0;
  };
  [[nodiscard]] std::unique_ptr<Bundle> bundle();

  /// The folders of all runs.
  [[nodiscard]] std::vector<std::string> run_folders() const;
  /// True when the newest run of this attempt graded this content under this configuration.
  [[nodiscard]] bool has_grade(const std::string& student, std::int64_t attempt,
                               const std::string& content, const std::string& configuration) const;
  /// The folder of the newest run of anybody that graded this content under this configuration.
  [[nodiscard]] std::optional<std::string> folder_of_grade(const std::string& content,
                                                           const std::string& configuration) const;

  /// In the order of their keys.
  [[nodiscard]] std::vector<StudentRecord> students() const;
  /// Every submission, by student and number.
  [[nodiscard]] std::vector<Standing> standings() const;
  /// The runs of a submission, oldest first.
  [[nodiscard]] std::vector<RunRecord> runs(const std::string& student, std::int64_t attempt) const;
  /// In the order in which they were made; the last one of a student counts.
  [[nodiscard]] std::vector<OverrideRecord> overrides() const;
  /// What became of the student's newest score at this line item.
  [[nodiscard]] std::optional<DeliveryRecord> delivery(const std::string& student,
                                                       const std::string& line_item) const;

 private:
  std::unique_ptr<GradebookDatabase> database_;
};

}  // namespace grader
