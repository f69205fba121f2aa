#include "grader/csv/worksheet.hpp"

#include <algorithm>

#include "grader/base/fault.hpp"

namespace grader {

Worksheet::Worksheet(std::string text, const std::string& name)
    : text_(std::move(text)), table_(read_csv(text_, name)) {
  find_places();
}

// read_csv() knows what is in the fields but not where they stand, and has refused all that is no
// table; this only finds their ends, and both have to agree.
void Worksheet::find_places() {
  const std::string line_ends = "\r\n";
  std::vector<std::vector<Place>> rows;
  std::size_t at = table_.begins_at;
  while ((at = std::min(text_.find_first_not_of(line_ends, at), text_.size())) < text_.size()) {
    std::vector<Place>& row = rows.emplace_back();
    row.push_back(take_field(at));
    while (at < text_.size() && text_[at] == table_.separator) row.push_back(take_field(++at));
  }
  bool agrees = rows.size() == table_.rows.size() + 1;
  for (std::size_t row = 0; agrees && row < table_.rows.size(); ++row) {
    const std::vector<std::string>& fields = table_.rows[row].fields;
    agrees = rows[row + 1].size() >= fields.size();
    for (std::size_t column = 0; agrees && column < fields.size(); ++column) {
      agrees = value_at(rows[row + 1][column]) == fields[column];
    }
  }
  if (!agrees) throw InternalFault("The fields of a table are not where they were looked for.");
  rows.erase(rows.begin());
  places_ = std::move(rows);
}

// Takes the field that begins at `at`, up to the separator or line end behind it.
Worksheet::Place Worksheet::take_field(std::size_t& at) const {
  const std::size_t begin = at;
  bool is_quoted = false;
  for (; at < text_.size(); ++at) {
    const char character = text_[at];
    if (character == '"') is_quoted = !is_quoted;  // a doubled one switches twice
    const bool ends = character == table_.separator || character == '\r' || character == '\n';
    if (ends && !is_quoted) break;
  }
  return {begin, at};
}

std::string Worksheet::value_at(const Place& place) const {
  std::string written = text_.substr(place.begin, place.end - place.begin);
  if (!written.starts_with('"')) return written;
  std::string value;
  for (std::size_t index = 1; index + 1 < written.size(); ++index) {
    value += written[index];
    if (written[index] == '"') ++index;
  }
  return value;
}

void Worksheet::set(std::size_t row, std::size_t column, std::string_view value) {
  const Place& place = places_.at(row).at(column);
  std::string written = CsvWriter(table_.separator).verbatim(value).bytes();
  const bool was_quoted = place.begin < text_.size() && text_[place.begin] == '"';
  if (was_quoted && !written.starts_with('"')) written = '"' + written + '"';
  set_.insert_or_assign(place.begin, std::pair(place, std::move(written)));
}

std::string Worksheet::bytes() const {
  std::string bytes;
  std::size_t at = 0;
  for (const auto& [begin, field] : set_) {
    const auto& [place, written] = field;
    bytes.append(text_, at, begin - at).append(written);
    at = place.end;
  }
  return bytes.append(text_, at);
}

}  // namespace grader
