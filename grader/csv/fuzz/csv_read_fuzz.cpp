// The bytes are a CSV file. What is read is rectangular, numbered upwards, and reads the same again
// when it is written; as a worksheet, every field is found where it stands.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/csv/csv.hpp"
#include "grader/csv/worksheet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const auto require = [](bool promise) {
    if (!promise) std::abort();
  };
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const CsvTable table = read_csv(text, "table.csv");
    require(Worksheet(text, "table.csv").bytes() == text);
    CsvWriter writer(table.separator);
    const auto write = [&](const CsvRow& row) {
      // So that no row is a blank line, and none ends in fields of no column.
      writer.verbatim("x");
      for (const std::string& field : row.fields) writer.verbatim(field);
      writer.verbatim("x").end_row();
    };
    write(table.header);
    std::size_t before = table.header.number;
    for (const CsvRow& row : table.rows) {
      require(row.fields.size() == table.header.fields.size() && row.number > before);
      before = row.number;
      write(row);
    }
    // Which of two characters separates is a guess where both are in the header.
    const std::string separator = std::string("sep=") + table.separator + "\r\n";
    const CsvTable again = read_csv(separator + writer.bytes(), "again.csv");
    require(again.separator == table.separator && again.rows.size() == table.rows.size());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto& fields = again.rows[row].fields;
      require(std::vector<std::string>(fields.begin() + 1, fields.end() - 1) ==
              table.rows[row].fields);
    }
  } catch (const UsageFault& fault) {
    require(*fault.what() != '\0' && !fault.hint().empty());
  }
  return 0;
}
