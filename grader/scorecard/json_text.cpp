#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 100;

// The shortest form that reads back to the same double. Integral values that every JSON reader
// holds exactly have no fraction; the others get one, so that readers do not take them for integers
// (and lose the sign of -0.0).
std::string shortest(double number) {
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), number);
  std::string text(digits.data(), end.ptr);
  const bool negative_zero = number == 0 && std::signbit(number);
  const bool plain = text.find_first_of(".e") == std::string::npos;
  if (plain && (negative_zero || std::abs(number) >= kExactIntegers)) text += ".0";
  return text;
}

std::string scalar(const Json& json) {
  return json.is_number_float() ? shortest(json.get<double>()) : json.dump();
}

// Appends `json` on one line, or gives up once the line is longer than `width`.
bool append_line(std::string& line, const Json& json, std::size_t width) {
  if (!json.is_structured()) {
    line += scalar(json);
    return line.size() <= width;
  }
  line += json.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& item : json.items()) {
    if (!first) line += ", ";
    first = false;
    if (json.is_object()) line += Json(item.key()).dump() + ": ";
    if (!append_line(line, item.value(), width)) return false;
  }
  line += json.is_object() ? '}' : ']';
  return line.size() <= width;
}

bool only_scalars(const Json& json) {
  for (const Json& item : json) {
    if (item.is_structured()) return false;
  }
  return json.is_array();
}

void append(std::string& text, const Json& json, std::size_t indent) {
  // A row of a matrix stays on one line whatever its length.
  const bool row = only_scalars(json) && !json.empty() && !json.front().is_string();
  std::string line;
  if (append_line(line, json,
                  row ? std::string::npos : kLineWidth - std::min(indent, kLineWidth))) {
    text += line;
    return;
  }
  if (!json.is_structured()) {
    text += scalar(json);
    return;
  }
  text += json.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& item : json.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    text.append(indent + 2, ' ');
    if (json.is_object()) text += Json(item.key()).dump() + ": ";
    append(text, item.value(), indent + 2);
  }
  text += '\n';
  text.append(indent, ' ');
  text += json.is_object() ? '}' : ']';
}

}  // namespace

std::string json_text(const Json& json) {
  std::string text;
  append(text, json, 0);
  text += '\n';
  return text;
}

}  // namespace grader
