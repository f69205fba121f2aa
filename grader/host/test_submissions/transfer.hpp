// The contract of the host's test submissions: one function of three small matrices and one that
// behaves as it is told. Matrices are plain vectors, so that these build fast.
#pragma once

#include <vector>

#include "grader/channel/dispatch_table.hpp"

namespace toy {

struct Table {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> entries;
};
struct Result {
  Table logits;
  Table weights;
  Table output;
};

Result attention(const Table& queries, const Table& keys, const Table& values);
double behave(std::int64_t kind, double number);
Table table_of_size(std::int64_t rows, std::int64_t columns);

}  // namespace toy

template <>
struct grader::Transfer<toy::Table> {
  static toy::Table read(wire::Reader& reader) {
    toy::Table table;
    reader.expect(wire::Tag::matrix);
    table.rows = reader.dimension();
    table.columns = reader.dimension();
    if (const unsigned char* source = reader.doubles(table.rows, table.columns)) {
      table.entries.resize(static_cast<std::size_t>(table.rows * table.columns));
      std::memcpy(table.entries.data(), source, table.entries.size() * sizeof(double));
    }
    return table;
  }
  static void write(wire::Writer& writer, const toy::Table& table) {
    writer.tag(wire::Tag::matrix);
    writer.number(table.rows);
    writer.number(table.columns);
    writer.bytes(table.entries.data(), table.entries.size() * sizeof(double));
  }
};

template <>
struct grader::Members<toy::Result> {
  static constexpr auto list =
      std::tuple{&toy::Result::logits, &toy::Result::weights, &toy::Result::output};
};
