#include "grader/report/html/matrix_table.hpp"

#include <algorithm>
#include <cmath>

#include "grader/report/matrix_view.hpp"
#include "grader/report/number_text.hpp"

namespace grader::html {
namespace {

// Rows and columns that are shown; larger matrices are cut around the entry that matters.
constexpr std::int64_t kMostRows = 16;
constexpr std::int64_t kMostColumns = 16;

// The class of a cell's background: "w0" … "w6" for weights, "n1" … "n4", "p1" … "p4" by sign.
std::string shade_class(double number, const Shades& shades) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "masked" : "nan";
  if (shades.are_weights) {
    const double share = std::clamp(number, 0.0, 1.0);
    // Small weights are told from none.
    const int step = share > 0 ? std::max(1, static_cast<int>(std::lround(share * 6))) : 0;
    return "w" + std::to_string(step);
  }
  if (number == 0 || shades.largest == 0) return "zero";
  const double share = std::min(1.0, std::abs(number) / shades.largest);
  const int step = std::max(1, static_cast<int>(std::lround(share * 4)));
  return (number < 0 ? "n" : "p") + std::to_string(step);
}

std::string cell_class(const TableOptions& options, double number, std::int64_t row,
                       std::int64_t column) {
  std::string classes = shade_class(number, options.shades);
  if (options.has_triangle && column > row) classes += " future";
  if (options.has_triangle && column == row) classes += " diagonal";
  if (options.is_marked && row == options.around_row && column == options.around_column) {
    classes += " first";
  }
  return classes;
}

std::string cell_text(double number, bool is_difference) {
  return is_difference && number == 0 ? "·" : number_text(number, kFewDigits);
}

double entry_difference(double left, double right) {
  if (left == right || (std::isnan(left) && std::isnan(right))) return 0;
  return left - right;
}

}  // namespace

Shades shades_for(const std::vector<const Value*>& values) {
  Shades shades;
  shades.are_weights = true;
  bool is_empty = true;
  for (const Value* value : values) {
    const auto view = view_of(*value);
    if (!view) continue;
    for (const double entry : *view->entries) {
      is_empty = false;
      if (!std::isfinite(entry)) {
        shades.are_weights = shades.are_weights && std::isnan(entry);
        continue;
      }
      shades.are_weights = shades.are_weights && entry >= 0 && entry <= 1;
      shades.largest = std::max(shades.largest, std::abs(entry));
    }
  }
  shades.are_weights = shades.are_weights && !is_empty;
  return shades;
}

std::optional<Data> matrix_table(const std::string& title, const Value& value,
                                 const TableOptions& options) {
  const auto view = view_of(value);
  if (!view) return std::nullopt;
  const std::string size = view->is_row
                               ? std::to_string(view->columns)
                               : std::to_string(view->rows) + "×" + std::to_string(view->columns);
  const Window rows = window(view->rows, kMostRows, options.around_row);
  const Window columns = window(view->columns, kMostColumns, options.around_column);
  Data heads = list();
  for (std::int64_t j = columns.first; j < columns.end; ++j) heads << Data{std::to_string(j)};
  Data lines = list();
  for (std::int64_t i = rows.first; i < rows.end && view->columns > 0; ++i) {
    Data cells = list();
    for (std::int64_t j = columns.first; j < columns.end; ++j) {
      const double number = view->at(i, j);
      cells << object(
          {{"class", cell_class(options, number, i, j)},
           {"text", cell_text(number, options.is_difference)},
           {"is_first", options.is_marked && i == options.around_row && j == options.around_column},
           {"exact", exact_number_text(number)}});
    }
    lines << object(
        {{"label", view->is_row ? Data{false} : Data{std::to_string(i)}}, {"cells", cells}});
  }
  const bool is_cut =
      rows.end - rows.first < view->rows || columns.end - columns.first < view->columns;
  const bool is_empty = view->rows == 0 || view->columns == 0;
  std::string note;
  if (is_empty) note = "empty, " + size;
  if (is_cut) note = "a part of " + size + "; the rest is in the scorecard";
  return object({{"title", title},
                 {"size", size},
                 {"has_row_labels", !view->is_row},
                 {"heads", heads},
                 {"lines", lines},
                 {"has_lines", !is_empty},
                 {"note", text_or_nothing(note)}});
}

bool is_causal(const Value& value) {
  const auto view = view_of(value);
  if (!view || view->is_row || view->rows < 2 || view->rows != view->columns) return false;
  const auto is_nothing = [](double entry) {
    return entry == 0 || (std::isinf(entry) && entry < 0);
  };
  bool sees_the_past = false;
  for (std::int64_t i = 0; i < view->rows; ++i) {
    for (std::int64_t j = 0; j < view->columns; ++j) {
      if (j > i && !is_nothing(view->at(i, j))) return false;
      if (j > i && view->at(i, j) != view->at(0, view->columns - 1)) return false;
      if (j <= i) sees_the_past = sees_the_past || view->at(i, j) != view->at(0, view->columns - 1);
    }
  }
  return sees_the_past;
}

std::optional<Value> difference(const Value& left, const Value& right) {
  const auto a = view_of(left);
  const auto b = view_of(right);
  if (!a || !b || a->rows != b->rows || a->columns != b->columns || a->is_row != b->is_row) {
    return std::nullopt;
  }
  std::vector<double> entries(a->entries->size());
  std::ranges::transform(*a->entries, *b->entries, entries.begin(), entry_difference);
  if (a->is_row) return RowVector{std::move(entries)};
  Matrix matrix;
  matrix.rows = a->rows;
  matrix.columns = a->columns;
  matrix.entries = std::move(entries);
  return matrix;
}

}  // namespace grader::html
