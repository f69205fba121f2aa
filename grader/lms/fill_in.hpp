// Fills in the column of scores of a table that a platform exported.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/csv/worksheet.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/lms/row_matching.hpp"

namespace grader {

/// One student's row.
struct SheetRow {
  std::size_t position = 0;  ///< in Worksheet::table().rows
  RowIds ids;
  std::string
      locked;  ///< why nothing may be written there: "cannot be changed in Moodle"; or empty
};

/// What a platform's table looks like.
struct Sheet {
  std::string platform;       ///< "Canvas"
  std::size_t column = 0;     ///< the one that is filled in
  char decimal_point = '.';   ///< as the table writes numbers
  std::string excused;        ///< how it says that a student is excused; empty: not at all
  std::optional<double> top;  ///< the platform takes no higher score; nothing: it does
  std::vector<SheetRow> rows;
  std::function<Sought(const StudentResult&)> sought;  ///< by what a student's row is found
};

/// A number as tables of platforms write it, with a point or a comma and without anything for the
/// thousands; nothing for other texts.
[[nodiscard]] std::optional<double> sheet_number(std::string_view text);

/// The table with the students' scores, as one file of that name. Cells that say the same already,
/// and those of students without a score, stay as they are. Throws UsageFault when no student is in
/// the table.
[[nodiscard]] Exported fill_in(Worksheet& worksheet, const Sheet& sheet,
                               const ClassResults& results, const std::string& file);

}  // namespace grader
