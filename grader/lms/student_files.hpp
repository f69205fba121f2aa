// What an export finds of each student in the results folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// The name of the student's folder there, which is fit for every disk. The student has a report.
[[nodiscard]] std::string folder_of(const StudentResult& student);

/// Why a student has no report, for "ada …".
[[nodiscard]] std::string reason_for_none(const StudentResult& student);

/// Where the student's scorecard is. The student has a report.
[[nodiscard]] std::filesystem::path scorecard_of(const ExportedClass& graded,
                                                 const StudentResult& student);

/// What it says; or nothing, with the student among those left out, where it is gone or damaged:
/// that costs the others nothing. The student has a report.
[[nodiscard]] std::optional<Scorecard> readable_scorecard(const ExportedClass& graded,
                                                          const StudentResult& student,
                                                          Exported& exported);

}  // namespace grader
