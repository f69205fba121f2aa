// Canvas's gradebook, exported by Canvas and filled in.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// The gradebook of options.worksheet with the scores in the column of the assignment:
/// options.column by its title, its title and id "Attention (4711)" or its id, else the column of
/// this assignment's title. Everything else stays byte for byte.
///
/// Canvas reads (lib/gradebook_importer.rb of canvas-lms): the assignment by the id behind its
/// title, a student by ID, else SIS user id, else SIS login id, else name; a cell as a number
/// whose last comma or point is the decimal one; "EX" as excused. So nothing is made up here: no
/// gradebook is written that Canvas did not export.
Exported canvas_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
