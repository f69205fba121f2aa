// A table that a platform exported and that is filled in: what is not set stays byte for byte.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/csv/csv.hpp"

namespace grader {

class Worksheet {
 public:
  /// Reads `text` as read_csv() does, with its faults.
  Worksheet(std::string text, const std::string& name);

  [[nodiscard]] const CsvTable& table() const { return table_; }

  /// Puts `value` into a field of table().rows. It is quoted where it has to be, and where the
  /// field was.
  void set(std::size_t row, std::size_t column, std::string_view value);

  /// The text with what was set.
  [[nodiscard]] std::string bytes() const;

 private:
  /// A field as it is written, with its quotes.
  struct Place {
    std::size_t begin;
    std::size_t end;
  };
  void find_places();
  Place take_field(std::size_t& at) const;
  [[nodiscard]] std::string value_at(const Place& place) const;

  std::string text_;
  CsvTable table_;
  std::vector<std::vector<Place>> places_;                    ///< of table_.rows
  std::map<std::size_t, std::pair<Place, std::string>> set_;  ///< by where they begin
};

}  // namespace grader
