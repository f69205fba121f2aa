// The values that cross the border between the trusted grader and a submission. Plain data with no
// Eigen and no JSON, so that checks, channel and reports compile fast and share one representation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/contract/entries.hpp"

namespace grader {

/// A dense matrix of doubles in row-major order; `entries.size() == rows * columns`.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Entries entries;

  Matrix() = default;
  /// A rows × columns matrix whose entries all equal `fill`.
  Matrix(std::int64_t row_count, std::int64_t column_count, double fill = 0.0)
      : rows(row_count),
        columns(column_count),
        entries(static_cast<std::size_t>(row_count * column_count), fill) {}

  double& operator()(std::int64_t row, std::int64_t column) {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
  double operator()(std::int64_t row, std::int64_t column) const {
    return entries[static_cast<std::size_t>(row * columns + column)];
  }
};

/// A 1 × n row of doubles.
struct RowVector {
  Entries entries;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(entries.size()); }
  double& operator()(std::int64_t column) { return entries[static_cast<std::size_t>(column)]; }
  double operator()(std::int64_t column) const { return entries[static_cast<std::size_t>(column)]; }
};

struct Field;

/// A struct of the contract: named values in declaration order.
struct Record {
  std::vector<Field> fields;
};

/// One argument or result of a contract function.
using Value = std::variant<bool, std::int64_t, double, RowVector, Matrix, Record>;

/// A value with the name that people see in reports ("Q", "weights", "changed_token").
struct Field {
  std::string name;
  Value value;
};

/// The kinds of Value, in the order of the variant's alternatives.
enum class Kind : std::uint8_t { boolean, integer, number, row_vector, matrix, record };

[[nodiscard]] Kind kind_of(const Value& value);

/// The type of a parameter or result. `fields` is filled for records only.
struct Type {
  Kind kind = Kind::boolean;
  struct Member;
  std::vector<Member> fields;
};
struct Type::Member {
  std::string name;
  Type type;
};

/// One function of a contract: its name as students write it and its typed signature.
struct Function {
  struct Parameter {
    std::string name;
    Type type;
  };
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
};

/// The functions of one assignment; a function's id is its index here.
using Contract = std::vector<Function>;

/// True when `value` has exactly the kind (and, for records, the member names and kinds) of `type`.
/// Matrices may have any size, but `entries` must match it.
[[nodiscard]] bool has_type(const Value& value, const Type& type);

/// Equality of every bit: NaN equals the same NaN, and 0.0 differs from -0.0.
[[nodiscard]] bool identical(const Value& left, const Value& right);

/// The member called `name`, or nullptr.
[[nodiscard]] const Value* member(const Record& record, std::string_view name);

}  // namespace grader
