#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <sstream>

#include "grader/selftest/selftest.hpp"

namespace grader {
namespace {

char symbol(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed: return '.';
    case CheckStatus::failed: return 'F';
    case CheckStatus::crashed: return 'C';
    case CheckStatus::timed_out: return 'T';
    case CheckStatus::not_run: return '-';
  }
  return '?';
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string points(double number) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%g", number);
  return buffer.data();
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

/// Numbers the columns; the numbers stand in two lines above them.
void write_legend(std::ostringstream& out, const KillMatrix& matrix) {
  std::size_t width = 0;
  for (const MatrixColumn& column : matrix.columns) width = std::max(width, column.check.size());
  out << "Checks\n";
  for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
    const MatrixColumn& column = matrix.columns[c];
    out << right_aligned(std::to_string(c + 1), 4) << "  " << padded(column.check, width) << "  "
        << right_aligned(points(column.points), 4) << " points, " << column.objective
        << (column.end_to_end ? ", end to end" : "") << "\n";
  }
  out << "\n. passed   F failed   C crashed   T timed out   - could not be judged\n";
}

struct Widths {
  std::size_t id = 2;
};

void write_column_numbers(std::ostringstream& out, const KillMatrix& matrix, const Widths& widths) {
  const std::string margin(widths.id + 2 + 6 + 2, ' ');
  out << "\n" << margin;
  for (std::size_t c = 1; c <= matrix.columns.size(); ++c) {
    out << (c >= 10 ? static_cast<char>('0' + c / 10) : ' ');
  }
  out << "\n" << padded("id", widths.id) << "   score  ";
  for (std::size_t c = 1; c <= matrix.columns.size(); ++c) out << c % 10;
  out << "  what it does\n";
}

void write_rows(std::ostringstream& out, const KillMatrix& matrix, const Widths& widths) {
  std::string stage;
  for (const MatrixRow& row : matrix.rows) {
    if (row.stage != stage) {
      stage = row.stage;
      out << "-- " << stage << "\n";
    }
    out << padded(row.id, widths.id) << "  " << right_aligned(points(row.score), 6) << "  ";
    for (const MatrixCell& cell : row.cells) out << symbol(cell.status);
    out << "  " << row.title << "\n";
  }
}

std::string summary(const KillMatrix& matrix) {
  std::map<Model::Role, std::size_t> rows;
  for (const MatrixRow& row : matrix.rows) ++rows[row.role];
  std::ostringstream out;
  out << rows[Model::Role::correct_style] << " correct styles, " << rows[Model::Role::misconception]
      << " misconceptions, " << rows[Model::Role::null_implementation]
      << " null implementations; seed " << matrix.seed << ", " << matrix.cases
      << " cases a check: ";
  if (matrix.holds()) {
    out << "the kill matrix holds.";
  } else {
    out << "the kill matrix does not hold (" << matrix.complaints.size()
        << (matrix.complaints.size() == 1 ? " complaint)." : " complaints).");
  }
  return out.str();
}

}  // namespace

std::string selftest_text(const KillMatrix& matrix) {
  Widths widths;
  for (const MatrixRow& row : matrix.rows) widths.id = std::max(widths.id, row.id.size());
  std::ostringstream out;
  out << "Kill matrix of " << matrix.assignment << "\n\n";
  write_legend(out, matrix);
  write_column_numbers(out, matrix, widths);
  write_rows(out, matrix, widths);
  if (!matrix.holds()) {
    out << "\nWhat is unfair\n";
    for (const Complaint& complaint : matrix.complaints) out << "  " << complaint.text << "\n";
  }
  out << "\n" << summary(matrix) << "\n";
  return out.str();
}

}  // namespace grader
