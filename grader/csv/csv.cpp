#include "grader/csv/csv.hpp"

#include <csv.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::array kSeparators = {',', ';', '\t'};
constexpr const char* kSaveAgain = "Save it as \"CSV UTF-8\" from the spreadsheet and try again.";

[[noreturn]] void reject(const std::string& name, const std::string& problem,
                         const std::string& remedy) {
  throw UsageFault(name + ": " + problem + ".", remedy);
}

std::string row_text(std::size_t number) { return "row " + std::to_string(number); }

void require_utf8(std::string_view text, const std::string& name) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    reject(name, "it is saved as UTF-16", kSaveAgain);
  }
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view here = text.substr(0, end);
    if (!is_utf8(here) || here.find('\0') != std::string_view::npos) {
      reject(name, "line " + std::to_string(line) + " is not UTF-8 text", kSaveAgain);
    }
    text.remove_prefix(end);
    ++line;
  }
}

/// What separates the fields of the line at the front of `text`, which may begin with a quoted
/// field.
char separator_of(std::string_view text) {
  std::array<std::size_t, kSeparators.size()> counts{};
  bool is_quoted = false;
  for (const char character : text) {
    if (character == '"') is_quoted = !is_quoted;
    if (!is_quoted && (character == '\n' || character == '\r')) break;
    const auto* const found = std::ranges::find(kSeparators, character);
    if (!is_quoted && found != kSeparators.end()) {
      ++counts[static_cast<std::size_t>(found - kSeparators.begin())];
    }
  }
  return kSeparators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/// Takes a first line "sep=;", which some spreadsheets write for themselves; '\0' if there is none.
char take_separator_line(std::string_view& text) {
  constexpr std::string_view begin = "sep=";
  if (!text.starts_with(begin) || text.size() <= begin.size()) return '\0';
  const char separator = text[begin.size()];
  const std::string_view rest = text.substr(begin.size() + 1);
  if (std::ranges::find(kSeparators, separator) == kSeparators.end() ||
      (!rest.empty() && rest.front() != '\r' && rest.front() != '\n')) {
    return '\0';
  }
  text = rest.substr(rest.starts_with("\r\n") ? 2 : std::min<std::size_t>(rest.size(), 1));
  return separator;
}

/// Receives what libcsv finds.
struct Reading {
  std::vector<CsvRow> rows;
  CsvRow row;
  int last_end = 0;  ///< the character that ended the row before
};

extern "C" {

int csv_no_space(unsigned char /*character*/) { return 0; }  // blanks are part of a field

void csv_field_read(void* field, std::size_t size, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  reading.row.fields.emplace_back(static_cast<const char*>(field), size);
}

void csv_row_read(int end, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  // The second half of a CR LF.
  const bool is_same_end = end == '\n' && reading.last_end == '\r' && reading.row.fields.empty();
  reading.last_end = is_same_end ? 0 : end;
  if (is_same_end) return;
  if (!reading.row.fields.empty()) reading.rows.push_back(reading.row);
  reading.row.fields.clear();
  ++reading.row.number;
}
}

class Parser {
 public:
  explicit Parser(char separator) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) {
      throw EnvironmentFault("The reader of CSV cannot be started.", "Free some memory.");
    }
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
    csv_set_space_func(&parser_, csv_no_space);
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// False when a quote is out of place; `reading` then ends before that row.
  bool read(std::string_view text, Reading& reading) {
    return csv_parse(&parser_, text.data(), text.size(), csv_field_read, csv_row_read, &reading) ==
               text.size() &&
           csv_fini(&parser_, csv_field_read, csv_row_read, &reading) == 0;
  }

 private:
  csv_parser parser_{};
};

/// Whether a reader with another separator ends a cell there.
bool tears(char character, char separator) {
  constexpr std::string_view kEnds = ",;\t\r\n";
  return character != separator && kEnds.find(character) != std::string_view::npos;
}

/// Whether a spreadsheet may take a cell for a formula.
bool begins_formula(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kSigns = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return cell.starts_with(sign); });
}

/// `text` so that neither it nor what is torn off it becomes a formula. Quotes alone do not help
/// there: a reader that takes another character for the separator does not see them as quotes.
std::string harmless(std::string_view text, char separator) {
  std::string safe;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at == 0) {
      constexpr std::string_view kBlanks = "\t\r\n";  // are dropped, and then it is the next
      if (begins_formula(text) || kBlanks.find(text[at]) != std::string_view::npos) safe += '\'';
    } else if (tears(text[at - 1], separator)) {
      const std::string_view rest = text.substr(at);
      const std::size_t quotes = std::min(rest.find_first_not_of('"'), rest.size());
      if (begins_formula(rest.substr(quotes))) safe += '\'';
    }
    safe += text[at];
  }
  return safe;
}

bool needs_quotes(std::string_view text, const std::string& separators) {
  const bool is_padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  return is_padded || text.find_first_of("\"\r\n" + separators) != std::string_view::npos;
}

/// Drops empty fields behind the header's last.
void trim(CsvRow& row, std::size_t columns) {
  while (row.fields.size() > columns && row.fields.back().empty()) row.fields.pop_back();
}

}  // namespace

CsvTable read_csv(std::string_view text, const std::string& name) {
  const std::size_t whole = text.size();
  require_utf8(text, name);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  Reading reading;
  reading.row.number = 1;
  if (const char separator = take_separator_line(text); separator != '\0') {
    table.separator = separator;
    ++reading.row.number;
  } else {
    const std::size_t start = text.find_first_not_of("\r\n");
    table.separator = separator_of(text.substr(std::min(start, text.size())));
  }
  table.begins_at = whole - text.size();
  if (!Parser(table.separator).read(text, reading)) {
    reject(name, row_text(reading.row.number) + " has a quote that is out of place or never closed",
           "Write \"\" for a quote inside a quoted field, and close each quoted field.");
  }
  if (reading.rows.empty())
    reject(name, "it is empty", "Give it a header row and a row a student.");
  table.header = std::move(reading.rows.front());
  trim(table.header, 1);
  const std::size_t columns = table.header.fields.size();
  for (std::size_t index = 1; index < reading.rows.size(); ++index) {
    CsvRow& row = reading.rows[index];
    trim(row, columns);
    if (row.fields.size() != columns) {
      reject(name,
             row_text(row.number) + " has " + std::to_string(row.fields.size()) +
                 " fields, but the header has " + std::to_string(columns),
             "Quote fields that hold the separator, and give every row all its fields.");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

CsvWriter& CsvWriter::text(std::string_view text) {
  const std::string safe = harmless(text, separator_);
  return append(safe, needs_quotes(safe, std::string(",;\t") + separator_));
}

CsvWriter& CsvWriter::number(double number) {
  if (!std::isfinite(number)) throw InternalFault("A number for a CSV file is not finite.");
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return verbatim({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

CsvWriter& CsvWriter::verbatim(std::string_view text) {
  return append(text, needs_quotes(text, std::string(1, separator_)));
}

CsvWriter& CsvWriter::append(std::string_view text, bool is_quoted) {
  if (!is_at_start_) bytes_ += separator_;
  is_at_start_ = false;
  if (!is_quoted) {
    bytes_ += text;
    return *this;
  }
  const std::size_t start = bytes_.size();
  bytes_.resize(start + 2 * text.size() + 2);
  bytes_.resize(start +
                csv_write(bytes_.data() + start, bytes_.size() - start, text.data(), text.size()));
  return *this;
}

CsvWriter& CsvWriter::end_row() {
  bytes_ += "\r\n";
  is_at_start_ = true;
  return *this;
}

}  // namespace grader
