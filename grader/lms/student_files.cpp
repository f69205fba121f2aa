#include "grader/lms/student_files.hpp"

#include <filesystem>
#include <iterator>

#include "grader/scorecard/json.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {

namespace fs = std::filesystem;

// "students/ada/attempt-1/run-2/report.html": the second part names the student on every disk.
std::string folder_of(const StudentResult& student) {
  const fs::path report(student.report);
  return std::next(report.begin())->string();
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

Scorecard told_scorecard(const ExportedClass& graded, const StudentResult& student,
                         const ExportOptions& options) {
  const fs::path file = (graded.folder / student.report).parent_path() / "scorecard.json";
  return redacted(read_scorecard(file), options.most_told);
}

}  // namespace grader
