#include "grader/scorecard/value_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNameLimit = 200;

Json number_to_json(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return number;
}

Json entries_to_json(const double* first, std::size_t count) {
  Json entries = Json::array();
  entries.get_ref<Json::array_t&>().reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    entries.push_back(number_to_json(first[index]));
  }
  return entries;
}

Json matrix_to_json(const Matrix& matrix, std::size_t entry_limit) {
  const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(matrix.columns, 0));
  const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(matrix.rows, 0));
  // A degenerate matrix may claim any number of empty rows.
  const std::size_t shown = std::min(rows, entry_limit / std::max<std::size_t>(columns, 1));
  Json entries = Json::array();
  for (std::size_t row = 0; row < shown; ++row) {
    entries.push_back(entries_to_json(matrix.entries.data() + row * columns, columns));
  }
  Json json{{"rows", matrix.rows}, {"columns", matrix.columns}, {"entries", std::move(entries)}};
  if (shown < rows) json["cut"] = true;
  return json;
}

Json row_to_json(const RowVector& row, std::size_t entry_limit) {
  if (row.entries.size() <= entry_limit) {
    return entries_to_json(row.entries.data(), row.entries.size());
  }
  return {{"size", row.size()},
          {"entries", entries_to_json(row.entries.data(), entry_limit)},
          {"cut", true}};
}

[[noreturn]] void refuse(const std::string& where, const std::string& expected) {
  throw UsageFault("The scorecard is damaged: " + where + " is not " + expected + ".",
                   "Grade the submission again to get a new scorecard.");
}

double number_from_json(const Json& json, const std::string& where) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) {
    const auto& word = json.get_ref<const std::string&>();
    if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (word == "Infinity") return std::numeric_limits<double>::infinity();
    if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  }
  refuse(where, "a number");
}

RowVector row_from_json(const Json& json, const std::string& where) {
  if (!json.is_array()) refuse(where, "an array of numbers");
  RowVector row;
  row.entries.reserve(json.size());
  for (const Json& entry : json) row.entries.push_back(number_from_json(entry, where));
  return row;
}

bool looks_like_matrix(const Json& json) {
  return json.is_object() && json.contains("rows") && json.contains("columns") &&
         json.contains("entries") && json["rows"].is_number_integer() &&
         json["columns"].is_number_integer() && json["entries"].is_array();
}

Matrix matrix_from_json(const Json& json, const std::string& where) {
  if (!looks_like_matrix(json)) refuse(where, "a matrix of rows, columns and entries");
  Matrix matrix;
  matrix.rows = json["rows"].get<std::int64_t>();
  matrix.columns = json["columns"].get<std::int64_t>();
  const Json& rows = json["entries"];
  if (!std::in_range<std::size_t>(matrix.rows) || !std::in_range<std::size_t>(matrix.columns) ||
      rows.size() != static_cast<std::size_t>(matrix.rows)) {
    refuse(where, "a matrix with as many rows as it says");
  }
  std::vector<double>& entries = matrix.entries.own();
  for (const Json& json_row : rows) {
    const RowVector row = row_from_json(json_row, where);
    if (row.size() != matrix.columns) refuse(where, "a matrix with as many columns as it says");
    entries.insert(entries.end(), row.entries.begin(), row.entries.end());
  }
  return matrix;
}

Record record_from_json(const Json& json, const Json& kinds, const std::string& where) {
  if (!json.is_object()) refuse(where, "an object");
  Record record;
  for (const auto& [name, kind] : kinds.items()) {
    if (!json.contains(name)) refuse(where + "." + name, "there");
    record.fields.push_back({name, value_from_json(json[name], kind, where + "." + name)});
  }
  return record;
}

// A cut matrix cannot be shown as what it was; it comes back with the rows that were written.
Value shown_object_from_json(const Json& json, const std::string& where) {
  const bool cut = json.contains("cut") && json["cut"] == true;
  if (cut && json.contains("size") && json.contains("entries")) {
    return row_from_json(json["entries"], where);
  }
  if (looks_like_matrix(json)) {
    if (!cut) return matrix_from_json(json, where);
    Json written = json;
    written["rows"] = json["entries"].size();
    return matrix_from_json(written, where);
  }
  Record record;
  for (const auto& [name, member] : json.items()) {
    record.fields.push_back({name, shown_value_from_json(member, where + "." + name)});
  }
  return record;
}

}  // namespace

Json value_to_json(const Value& value, std::size_t entry_limit) {
  switch (kind_of(value)) {
    case Kind::boolean: return std::get<bool>(value);
    case Kind::integer: return std::get<std::int64_t>(value);
    case Kind::number: return number_to_json(std::get<double>(value));
    case Kind::row_vector: return row_to_json(std::get<RowVector>(value), entry_limit);
    case Kind::matrix: return matrix_to_json(std::get<Matrix>(value), entry_limit);
    case Kind::record: break;
  }
  Json json = Json::object();
  for (const Field& field : std::get<Record>(value).fields) {
    json[plain_line(field.name, kNameLimit)] = value_to_json(field.value, entry_limit);
  }
  return json;
}

Json kind_to_json(const Value& value) {
  const auto* record = std::get_if<Record>(&value);
  if (record == nullptr) return std::string(name_of(kind_of(value)));
  Json kinds = Json::object();
  for (const Field& field : record->fields) {
    kinds[plain_line(field.name, kNameLimit)] = kind_to_json(field.value);
  }
  return kinds;
}

Value value_from_json(const Json& json, const Json& kind, const std::string& where) {
  if (kind.is_object()) return record_from_json(json, kind, where);
  const auto known =
      kind.is_string() ? named<Kind>(kind.get_ref<const std::string&>()) : std::nullopt;
  if (!known || *known == Kind::record) refuse(where, "of a known kind");
  switch (*known) {
    case Kind::boolean:
      if (!json.is_boolean()) refuse(where, "true or false");
      return json.get<bool>();
    case Kind::integer:
      if (!json.is_number_integer()) refuse(where, "an integer");
      return json.get<std::int64_t>();
    case Kind::number: return number_from_json(json, where);
    case Kind::row_vector: return row_from_json(json, where);
    case Kind::matrix:
    case Kind::record: break;
  }
  return matrix_from_json(json, where);
}

Value shown_value_from_json(const Json& json, const std::string& where) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_array()) return row_from_json(json, where);
  if (json.is_object()) return shown_object_from_json(json, where);
  return number_from_json(json, where);
}

}  // namespace grader
