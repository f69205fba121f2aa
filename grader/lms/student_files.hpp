// What an export finds of each student in the results folder.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// The name of the student's folder there, which is fit for every disk. The student has a report.
[[nodiscard]] std::string folder_of(const StudentResult& student);

/// Why a student has no report, for "ada …".
[[nodiscard]] std::string reason_for_none(const StudentResult& student);

/// The student's scorecard as it may be told. The student has a report. Throws UsageFault when it
/// is not there.
[[nodiscard]] Scorecard told_scorecard(const ExportedClass& graded, const StudentResult& student,
                                       const ExportOptions& options);

}  // namespace grader
