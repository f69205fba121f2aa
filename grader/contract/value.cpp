#include "grader/contract/value.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace grader {
namespace {

bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

bool same_bits(const Entries& left, const Entries& right) {
  return left.is_shared_with(right) ||
         std::ranges::equal(left, right, [](double a, double b) { return same_bits(a, b); });
}

bool has_consistent_size(const Matrix& matrix) {
  if (matrix.rows < 0 || matrix.columns < 0) return false;
  if (matrix.rows == 0 || matrix.columns == 0) return matrix.entries.empty();
  const auto count = static_cast<std::int64_t>(matrix.entries.size());
  return count % matrix.rows == 0 && count / matrix.rows == matrix.columns;
}

}  // namespace

Kind kind_of(const Value& value) { return static_cast<Kind>(value.index()); }

bool has_type(const Value& value, const Type& type) {
  if (kind_of(value) != type.kind) return false;
  if (const auto* matrix = std::get_if<Matrix>(&value)) return has_consistent_size(*matrix);
  if (const auto* record = std::get_if<Record>(&value)) {
    return std::ranges::equal(
        record->fields, type.fields, [](const Field& field, const Type::Member& expected) {
          return field.name == expected.name && has_type(field.value, expected.type);
        });
  }
  return true;
}

bool identical(const Value& left, const Value& right) {
  if (left.index() != right.index()) return false;
  switch (kind_of(left)) {
    case Kind::boolean: return std::get<bool>(left) == std::get<bool>(right);
    case Kind::integer: return std::get<std::int64_t>(left) == std::get<std::int64_t>(right);
    case Kind::number: return same_bits(std::get<double>(left), std::get<double>(right));
    case Kind::row_vector:
      return same_bits(std::get<RowVector>(left).entries, std::get<RowVector>(right).entries);
    case Kind::matrix: {
      const auto& a = std::get<Matrix>(left);
      const auto& b = std::get<Matrix>(right);
      return a.rows == b.rows && a.columns == b.columns && same_bits(a.entries, b.entries);
    }
    case Kind::record:
      return std::ranges::equal(std::get<Record>(left).fields, std::get<Record>(right).fields,
                                [](const Field& a, const Field& b) {
                                  return a.name == b.name && identical(a.value, b.value);
                                });
  }
  return false;
}

const Value* member(const Record& record, std::string_view name) {
  const auto found = std::ranges::find(record.fields, name, &Field::name);
  return found == record.fields.end() ? nullptr : &found->value;
}

}  // namespace grader
