#include "grader/lms/student_files.hpp"

#include <iterator>

#include "grader/base/fault.hpp"
#include "grader/scorecard/json.hpp"

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

fs::path scorecard_of(const ExportedClass& graded, const StudentResult& student) {
  return (graded.folder / student.report).parent_path() / "scorecard.json";
}

std::optional<Scorecard> readable_scorecard(const ExportedClass& graded,
                                            const StudentResult& student, Exported& exported) {
  try {
    return read_scorecard(scorecard_of(graded, student));
  } catch (const UsageFault& fault) {
    exported.left_out.push_back(student.id + " has a result that cannot be read. " + fault.what() +
                                " The batch's command with `--only " + student.id +
                                "` grades it anew.");
    return std::nullopt;
  }
}

}  // namespace grader
