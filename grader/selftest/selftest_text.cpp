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

/// Marks a kill that is the only one of its row.
constexpr char kOnlyKill = '*';

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

/// "  the only check that sees A03, A04", in lines that fit a terminal.
void write_only_kills(std::ostringstream& out, const std::vector<std::string>& ids) {
  if (ids.empty()) return;
  constexpr std::size_t kWidth = 96;
  std::string line = "      * alone sees";
  for (const std::string& id : ids) {
    if (line.size() + 1 + id.size() > kWidth) {
      out << line << "\n";
      line = "                  ";
    }
    line += " " + id;
  }
  out << line << "\n";
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
    write_only_kills(out, seen_only_by(matrix, c));
  }
  out << "\n. passed   F failed   C crashed   T timed out   - could not be judged\n"
      << kOnlyKill << " failed, crashed or timed out, and no other check sees the mistake\n";
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
    const bool has_only_kill =
        row.role == Model::Role::misconception && std::ranges::count_if(row.cells, is_kill) == 1;
    for (const MatrixCell& cell : row.cells) {
      out << (has_only_kill && is_kill(cell) ? kOnlyKill : symbol(cell.status));
    }
    out << "  " << row.title << "\n";
  }
}

/// "  97 of 100  what is counted" and, where there is one, the least that is promised.
void write_share(std::ostringstream& out, std::int64_t count, std::int64_t all,
                 const std::string& what) {
  const std::string share = std::to_string(count) + " of " + std::to_string(all);
  out << right_aligned(share, 12) << "  " << what << "\n";
}

void write_figures(std::ostringstream& out, const KillMatrix& matrix) {
  const SelfTestFigures figures = figures_of(matrix);
  out << "\nFigures\n";
  if (figures.misconceptions > 0) {
    const std::int64_t all = figures.misconceptions;
    write_share(out, figures.seen_by_own_objective, all,
                "misconceptions seen by a check of their own objective (all must be)");
    write_share(out, figures.charged_to_own_alone, all,
                "charged to no other check that is judged stage by stage (all must be)");
    if (matrix.is_diagnosed) {
      write_share(out, figures.named, all, "named by the diagnosis (all must be)");
    }
    if (matrix.seeks_minimal_inputs) {
      write_share(out, figures.shown_on_small_inputs, all,
                  "shown on an input of at most " + std::to_string(kSmallExtent) +
                      " rows and columns (at least " + points(100 * kSmallShare) + " % must be)");
    }
  }
  if (figures.correct_styles > 0) {
    out << right_aligned(points(figures.points_lost_by_correct_styles), 12)
        << "  points lost by the correct styles (" << figures.correct_styles << ") over "
        << matrix.seeds << (matrix.seeds == 1 ? " seed" : " seeds") << " (none may be)\n";
    if (matrix.is_diagnosed) {
      write_share(out, figures.correct_styles_accused, figures.correct_styles,
                  "correct styles accused by the diagnosis (none may be)");
    }
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
  write_figures(out, matrix);
  if (!matrix.holds()) {
    out << "\nWhat is unfair\n";
    for (const Complaint& complaint : matrix.complaints) out << "  " << complaint.text << "\n";
  }
  out << "\n" << summary(matrix) << "\n";
  return out.str();
}

}  // namespace grader
