#include <filesystem>
#include <string>
#include <system_error>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/lms/export_format.hpp"
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

}  // namespace

Exported export_each(const ExportFormat& format, const ExportedClass& graded, HintLevel most_told,
                     const ExportOptions& options) {
  const ScorecardExporter exporter = std::get<ScorecardExporter>(format.exporter);
  Exported exported;
  for (const StudentResult& student : graded.results.students) {
    if (student.report.empty()) {
      exported.left_out.push_back(student.id + " " + reason_for_none(student));
      continue;
    }
    const fs::path file = (graded.folder / student.report).parent_path() / "scorecard.json";
    const Scorecard scorecard = redacted(read_scorecard(file), most_told);
    exported.files.push_back(
        {folder_of(student) + "/" + std::string(format.file), exporter(scorecard, options)});
  }
  return exported;
}

}  // namespace grader
