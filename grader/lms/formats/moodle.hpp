// Moodle: the offline grading worksheet, filled in, and a table for the gradebook's import.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// The worksheet of options.worksheet ("Download grading worksheet" of the assignment) with the
/// scores in its column of grades. Everything else stays byte for byte, comments and dates too:
/// Moodle compares the dates with its own.
///
/// Moodle calls the columns in the language of whoever exported it, and finds them by these names.
/// So they are found here by what stands in them: the first is "Participant 123", and the grades
/// stand before the maximum, the same number in all rows. Where that fits several columns, names
/// that are known decide; options.column, the header of the grades, decides before all.
///
/// Moodle passes over rows without a grade, with one that is negative or above the maximum, that is
/// locked, or that was given in Moodle after the export (mod/assign/feedback/offline).
Exported moodle_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
