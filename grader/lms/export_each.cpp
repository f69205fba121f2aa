#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "grader/lms/export_format.hpp"
#include "grader/lms/student_files.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// Exports of the same scorecard are the same wherever it lies, but for the time.
std::int64_t seconds_of(const fs::path& file) {
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  if (error) return 0;
  const auto system = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(system).count();
}

ExportedFile exported_from(const ExportFormat& format, Scorecard scorecard, const fs::path& file,
                           ExportOptions options, std::vector<std::string>& notices) {
  const ScorecardExporter exporter = std::get<ScorecardExporter>(format.exporter);
  scorecard = redacted(std::move(scorecard), options.most_told);
  options.written_at = seconds_of(file);
  if (!has_score(scorecard)) {
    notices.push_back(submission_name(scorecard) +
                      " was not graded, so its export holds no score: " + scorecard.error);
  }
  return {std::string(format.file), exporter(scorecard, options)};
}

}  // namespace

ExportedFile export_one(const ExportFormat& format, const fs::path& file, ExportOptions options,
                        std::vector<std::string>& notices) {
  return exported_from(format, read_scorecard(file), file, std::move(options), notices);
}

Exported export_each(const ExportFormat& format, const ExportedClass& graded,
                     const ExportOptions& options) {
  Exported exported;
  for (const StudentResult& student : graded.results.students) {
    if (student.report.empty()) {
      exported.left_out.push_back(student.id + " " + reason_for_none(student));
      continue;
    }
    auto scorecard = readable_scorecard(graded, student, exported);
    if (!scorecard) continue;
    const ExportedFile one = exported_from(
        format, *std::move(scorecard), scorecard_of(graded, student), options, exported.notices);
    exported.files.push_back({folder_of(student) + "/" + one.name, one.bytes});
  }
  return exported;
}

}  // namespace grader
