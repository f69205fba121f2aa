// The class's results as a table for spreadsheets: one row a student.
#pragma once

#include <string>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// RFC 4180, UTF-8. Columns: student, name, section, status, attempt, attempts, graded_attempts
/// ("1: 40; 2: 65.6", where there are several), submitted_at (UTC, ISO 8601), late_days,
/// computed_score, final_score, max_score, overridden, adjustments, misconceptions,
/// needs_attention, report, digest, then the points of each check under its id.
/// What is not there is an empty field, never a zero. Texts that a spreadsheet would run as a
/// formula get a ' in front (CsvWriter).
[[nodiscard]] std::string class_csv(const ClassResults& results);

}  // namespace grader
