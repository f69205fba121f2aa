#include "grader/class_report/class_csv.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/class_report/student_status.hpp"
#include "grader/csv/csv.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

constexpr std::size_t kTextLimit = 2000;

// "2026-11-30T13:05:00Z"; empty for a time beyond the calendar (years 1 to 9999).
std::string utc_text(std::int64_t unix_seconds) {
  constexpr std::int64_t kFirst = -62'135'596'800;
  constexpr std::int64_t kLast = 253'402'300'799;
  if (unix_seconds < kFirst || unix_seconds > kLast) return "";
  const std::chrono::sys_seconds time{std::chrono::seconds{unix_seconds}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

class Table {
 public:
  void text(const std::string& text) { writer_.text(plain_line(text, kTextLimit)); }
  void number(const std::optional<double>& number) {
    if (number) {
      writer_.number(*number);
    } else {
      writer_.empty();
    }
  }
  void count(std::int64_t count) {
    if (count == 0) {
      writer_.empty();
    } else {
      writer_.number(static_cast<double>(count));
    }
  }
  void end_row() { writer_.end_row(); }
  [[nodiscard]] const std::string& bytes() const { return writer_.bytes(); }

 private:
  CsvWriter writer_;
};

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// "2: 65.6": what each attempt got, after penalties.
std::vector<std::string> scores_of(const StudentResult& student) {
  std::vector<std::string> scores;
  for (const AttemptResult& attempt : student.graded_attempts) {
    scores.push_back(std::to_string(attempt.number) + ": " +
                     (attempt.final_score ? number_text(*attempt.final_score) : "no score"));
  }
  return scores;
}

void add_header(Table& table, const ClassResults& results) {
  for (const char* title :
       {"student", "name", "section", "status", "attempt", "attempts", "graded_attempts",
        "submitted_at", "late_days", "computed_score", "final_score", "max_score", "overridden",
        "adjustments", "misconceptions", "needs_attention", "report", "digest"}) {
    table.text(title);
  }
  for (const CheckColumn& check : results.checks) table.text(check.id);
  table.end_row();
}

void add_student(Table& table, const StudentResult& student, const ClassResults& results) {
  if (!student.checks.empty() && student.checks.size() != results.checks.size()) {
    throw InternalFault("a student's checks are not those of the class: " + student.id);
  }
  table.text(student.id);
  table.text(student.name);
  table.text(student.section);
  table.text(std::string(name_of(student.status)));
  table.count(student.attempt);
  table.count(student.attempts);
  table.text(joined(scores_of(student), "; "));
  table.text(student.submitted_at ? utc_text(*student.submitted_at) : "");
  table.number(student.late_days);
  table.number(student.score);
  table.number(student.final_score);
  table.number(results.max_score);
  table.text(student.is_overridden ? "yes" : "");
  table.text(joined(student.adjustments, " "));
  table.text(joined(student.diagnoses, " "));
  table.text(student.needs_attention);
  table.text(student.report);
  table.text(student.digest);
  for (std::size_t column = 0; column < results.checks.size(); ++column) {
    table.number(student.checks.empty() ? std::nullopt
                                        : std::optional(student.checks[column].points));
  }
  table.end_row();
}

}  // namespace

std::string class_csv(const ClassResults& results) {
  Table table;
  add_header(table, results);
  for (const StudentResult& student : results.students) add_student(table, student, results);
  return table.bytes();
}

}  // namespace grader
