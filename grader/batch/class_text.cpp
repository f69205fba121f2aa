#include "grader/batch/class_text.hpp"

#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/class_report/class_summary.hpp"
#include "grader/class_report/student_status.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kTextLimit = 400;

void append_counts(const ClassResults& results, const ClassSummary& summary, Lines& lines) {
  std::string line = counted(results.students.size(), "student");
  std::string separator = ": ";
  for (const auto& [status, count] : summary.by_status) {
    if (count == 0) continue;
    line += separator + std::to_string(count) + " " + std::string(words_for(status));
    separator = ", ";
  }
  append(lines, wrapped(line + ".", 0));
}

void append_scores(const ClassResults& results, const ClassSummary& summary, Lines& lines) {
  if (!summary.mean || !summary.median) return;
  constexpr int kDigitsShown = 3;
  lines.push_back("Median " + number_text(*summary.median, kDigitsShown) + ", mean " +
                  number_text(*summary.mean, kDigitsShown) + " of " +
                  number_text(results.max_score) + ".");
}

}  // namespace

std::string class_text(const ClassResults& results) {
  Lines lines = {results.assignment_title};
  const ClassSummary summary = summary_of(results);
  append_counts(results, summary, lines);
  append_scores(results, summary, lines);
  Lines attention;
  Lines missing;
  for (const StudentResult& student : results.students) {
    const std::string shown = plain_line(
        student.name.empty() ? student.id : student.name + " (" + student.id + ")", kTextLimit);
    if (!student.needs_attention.empty()) {
      attention.push_back(shown + ": " + plain_line(student.needs_attention, kTextLimit));
    }
    if (student.status == StudentStatus::missing) missing.push_back(shown);
  }
  Lines left_out;
  for (const LeftOutFile& one : results.left_out) {
    left_out.push_back(plain_line(one.file, kTextLimit) + ": " +
                       plain_line(one.reason, kTextLimit));
  }
  append_list("Needs attention:", attention, lines);
  append_list("Not handed in:", missing, lines);
  append_list("Left out of the sources:", left_out, lines);
  append_list("Notices:", results.notices, lines);
  return joined(lines);
}

}  // namespace grader
