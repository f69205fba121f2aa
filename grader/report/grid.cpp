#include "grader/report/grid.hpp"

#include <algorithm>

#include "grader/report/layout.hpp"
#include "grader/report/matrix_view.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/value_text.hpp"

namespace grader {

std::optional<Grid> grid_of(const Value& value, std::int64_t row, std::int64_t column, int digits) {
  const auto view = view_of(value);
  if (!view) return std::nullopt;
  Grid grid;
  grid.size = view->is_row ? std::to_string(view->columns)
                           : std::to_string(view->rows) + "×" + std::to_string(view->columns);
  if (view->columns == 0) return grid;
  const Window rows = window(view->rows, kShownRows, row);
  const Window columns = window(view->columns, kShownColumns, column);
  grid.first_row = rows.first;
  grid.rows_left_out = view->rows - (rows.end - rows.first);
  grid.is_cut = grid.rows_left_out > 0 || columns.end - columns.first < view->columns;
  grid.lines.assign(static_cast<std::size_t>(rows.end - rows.first), "");
  for (std::int64_t j = columns.first; j < columns.end; ++j) {
    std::size_t width = 0;
    for (std::int64_t i = rows.first; i < rows.end; ++i) {
      width = std::max(width, display_width(number_text(view->at(i, j), digits)));
    }
    for (std::int64_t i = rows.first; i < rows.end; ++i) {
      std::string& line = grid.lines[static_cast<std::size_t>(i - rows.first)];
      if (j > columns.first) line += "  ";
      if (j == columns.first && j > 0) line += "…  ";
      line += right_aligned(number_text(view->at(i, j), digits), width);
      if (j + 1 == columns.end && columns.end < view->columns) line += "  …";
    }
  }
  for (const std::string& line : grid.lines) grid.width = std::max(grid.width, display_width(line));
  return grid;
}

std::optional<double> entry_of(const Value& value, std::int64_t row, std::int64_t column) {
  const auto view = view_of(value);
  if (!view || row < 0 || row >= view->rows || column < 0 || column >= view->columns) {
    return std::nullopt;
  }
  return view->at(row, column);
}

}  // namespace grader
