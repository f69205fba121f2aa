// The class as a table for spreadsheets.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// The columns of class_csv().
Exported csv_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
