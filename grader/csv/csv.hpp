// Tables as spreadsheets and learning platforms exchange them: RFC 4180 in UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct CsvRow {
  std::size_t number = 0;  ///< as a spreadsheet numbers it: the first line is row 1
  std::vector<std::string> fields;
};

struct CsvTable {
  char separator = ',';
  std::size_t begins_at = 0;  ///< where in the text: behind a byte order mark and a line "sep=;"
  CsvRow header;
  std::vector<CsvRow> rows;  ///< as many fields each as the header; blank lines are left out
};

/// Reads a table whose first row is its header. Fields are separated by commas, semicolons or tabs,
/// whichever the header has most of (or as a first line "sep=;" says); they may be quoted and then
/// hold separators, quotes ("") and line ends. A byte order mark is skipped. Throws UsageFault,
/// naming `name` and the row, when it is not UTF-8, a quote is out of place or never closed, a row
/// has more or fewer fields than the header (empty fields at its end do not count), or there is
/// nothing in it.
CsvTable read_csv(std::string_view text, const std::string& name);

/// Writes a table, rows ended by CR LF. Fields are quoted where they have to be.
///
/// Text that a spreadsheet would run as a formula, which begins with one of = + - @, a tab or a
/// line end, gets a ' in front: names and messages come from students. This is the one place where
/// that is done; numbers and what is `verbatim` stay as they are.
class CsvWriter {
 public:
  explicit CsvWriter(char separator = ',') : separator_(separator) {}

  CsvWriter& text(std::string_view text);
  /// The shortest form that reads back the same, with a point. Throws InternalFault when it is not
  /// finite.
  CsvWriter& number(double number);
  CsvWriter& empty() { return verbatim({}); }
  /// Quoted where it has to be, never changed: for fields taken over from another table.
  CsvWriter& verbatim(std::string_view text);
  CsvWriter& end_row();

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  CsvWriter& append(std::string_view text, bool is_quoted);

  char separator_;
  bool is_at_start_ = true;
  std::string bytes_;
};

}  // namespace grader
