// Transfer of dense Eigen matrices of double, for assignments whose contract uses Eigen. A type
// with one row at compile time travels as a row vector, every other as a matrix.
#pragma once

#include <Eigen/Core>

#include "grader/channel/dispatch_table.hpp"

namespace grader {

template <int Rows, int Columns, int Layout>
struct Transfer<Eigen::Matrix<double, Rows, Columns, Layout>> {
  using Matrix = Eigen::Matrix<double, Rows, Columns, Layout>;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr bool kIsRow = Rows == 1;

  static Matrix read(wire::Reader& reader) {
    reader.expect(kIsRow ? wire::Tag::row_vector : wire::Tag::matrix);
    const std::int64_t rows = kIsRow ? 1 : reader.dimension();
    const std::int64_t columns = reader.dimension();
    Matrix value;
    if (const unsigned char* entries = reader.doubles(rows, columns)) {
      if (const std::size_t size = static_cast<std::size_t>(rows * columns) * sizeof(double);
          Matrix::IsRowMajor) {
        value.resize(rows, columns);
        if (size != 0) {
          std::memcpy(value.data(), entries, size);
        }
      } else {
        RowMajor ordered(rows, columns);
        if (size != 0) {
          std::memcpy(ordered.data(), entries, size);
        }
        value = ordered;
      }
    }
    return value;
  }

  static void write(wire::Writer& writer, const Matrix& value) {
    writer.tag(kIsRow ? wire::Tag::row_vector : wire::Tag::matrix);
    if (!kIsRow) {
      writer.number(static_cast<std::int64_t>(value.rows()));
    }
    writer.number(static_cast<std::int64_t>(value.cols()));
    if (Matrix::IsRowMajor) {
      writer.bytes(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
    } else {
      const RowMajor ordered = value;  // NOLINT(performance-unnecessary-copy-initialization)
      writer.bytes(ordered.data(), static_cast<std::size_t>(ordered.size()) * sizeof(double));
    }
  }
};

}  // namespace grader
