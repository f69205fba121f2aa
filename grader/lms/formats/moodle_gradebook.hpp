// A table for the import of Moodle's gradebook.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// A row a student with what Moodle calls them, the score and a comment. Students are called by the
/// one of ID number, user name and email address that most of them have in the roster; the others
/// are left out.
///
/// One row that Moodle does not like undoes the whole import (grade/import/csv of moodle): so there
/// is no row without a score (it would clear the grade there), none of a student who could be
/// another, and no score above the maximum or above 100.
Exported moodle_gradebook_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
