#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// "students/ada/attempt-1/run-2/report.html": the second part names the student on every disk.
std::string folder_of(const StudentResult& student) {
  auto part = fs::path(student.report).begin();
  return (++part)->string();
}

std::string reason_for_none(const StudentResult& student) {
  switch (student.status) {
    case StudentStatus::excused: return "is excused";
    case StudentStatus::missing: return "has handed nothing in";
    default: break;
  }
  return student.needs_attention.empty() ? "has no result"
                                         : "needs attention: " + student.needs_attention;
}

// Exports of the same scorecard are the same wherever it lies, but for the time.
std::int64_t seconds_of(const fs::path& file) {
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  if (error) return 0;
  const auto system = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(system).count();
}

}  // namespace

ExportedFile export_one(const ExportFormat& format, const fs::path& file, HintLevel most_told,
                        ExportOptions options, std::vector<std::string>& notices) {
  const ScorecardExporter exporter = std::get<ScorecardExporter>(format.exporter);
  const Scorecard scorecard = redacted(read_scorecard(file), most_told);
  options.written_at = seconds_of(file);
  if (!has_score(scorecard)) {
    notices.push_back(submission_name(scorecard) +
                      " was not graded, so its export holds no score: " + scorecard.error);
  }
  return {std::string(format.file), exporter(scorecard, options)};
}

Exported export_each(const ExportFormat& format, const ExportedClass& graded, HintLevel most_told,
                     const ExportOptions& options) {
  Exported exported;
  for (const StudentResult& student : graded.results.students) {
    if (student.report.empty()) {
      exported.left_out.push_back(student.id + " " + reason_for_none(student));
      continue;
    }
    const fs::path file = (graded.folder / student.report).parent_path() / "scorecard.json";
    const ExportedFile one = export_one(format, file, most_told, options, exported.notices);
    exported.files.push_back({folder_of(student) + "/" + one.name, one.bytes});
  }
  return exported;
}

}  // namespace grader
