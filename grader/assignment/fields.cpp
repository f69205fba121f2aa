#include "grader/assignment/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/json.hpp"

namespace grader {

using nlohmann::json;

void reject(const std::string& file, const std::string& problem, const std::string& remedy) {
  throw UsageFault(file + ": " + problem + ".", remedy);
}

json parse_strictly(const std::string& file, const std::string& text) {
  const auto flaw = flaw_in_json(text);
  if (!flaw) return json::parse(text);
  switch (flaw->kind) {
    case JsonFlaw::Kind::member_twice:
      reject(file, "field \"" + flaw->member + "\" stands twice in one object",
             "Remove one of the two.");
    case JsonFlaw::Kind::too_deep: reject(file, "it " + words_for(*flaw), "Is it the right file?");
    case JsonFlaw::Kind::number_too_large:
    case JsonFlaw::Kind::half_character:
      reject(file, "it " + words_for(*flaw), "Correct what stands there.");
    case JsonFlaw::Kind::syntax: break;
  }
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(flaw->byte, text.size()));
  const auto line = std::count(text.begin(), end, '\n') + 1;
  reject(file, "line " + std::to_string(line) + " is not valid JSON",
         "Look for a missing comma, quote or bracket on that line or the one before.");
}

Fields::Fields(std::string file, std::string where, const json& object)
    : file_(std::move(file)), where_(std::move(where)), object_(&object) {
  if (!object.is_object()) {
    reject(file_, (where_.empty() ? "the document" : "\"" + where_ + "\"") + " is not an object",
           "Write {…} with the named fields there.");
  }
}

std::string Fields::path_of(const std::string& name) const {
  return where_.empty() ? name : where_ + "." + name;
}

void Fields::reject_field(const std::string& name, const std::string& problem,
                          const std::string& remedy) const {
  reject(file_, "field \"" + path_of(name) + "\" " + problem, remedy);
}

bool Fields::has(const std::string& name) const { return object_->contains(name); }

const json& Fields::take(const std::string& name) {
  taken_.insert(name);
  const auto found = object_->find(name);
  if (found == object_->end()) reject_field(name, "is missing", "Add it.");
  return *found;
}

std::string Fields::text(const std::string& name) {
  const json& value = take(name);
  if (!value.is_string()) reject_field(name, "is not a string", "Write it in quotes.");
  return value.get<std::string>();
}

double Fields::number(const std::string& name) {
  const json& value = take(name);
  if (!value.is_number()) reject_field(name, "is not a number", "Write a number without quotes.");
  const auto number = value.get<double>();
  if (!std::isfinite(number)) reject_field(name, "is too large", "Write a smaller number.");
  return number;
}

std::int64_t Fields::integer(const std::string& name, std::int64_t least) {
  const json& value = take(name);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<std::uint64_t>() <=
                         static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!fits || value.get<std::int64_t>() < least) {
    const std::string bound = std::to_string(least);
    reject_field(name, "is not an integer from " + bound + " on",
                 "Write a whole number that is at least " + bound + ".");
  }
  return value.get<std::int64_t>();
}

std::uint64_t Fields::natural(const std::string& name) {
  const json& value = take(name);
  if (!value.is_number_unsigned()) {
    reject_field(name, "is not a natural number", "Write a whole number from 0 on.");
  }
  return value.get<std::uint64_t>();
}

bool Fields::flag(const std::string& name) {
  const json& value = take(name);
  if (!value.is_boolean()) {
    reject_field(name, "is neither true nor false", "Write true or false without quotes.");
  }
  return value.get<bool>();
}

std::vector<std::string> Fields::texts(const std::string& name) {
  const json& value = take(name);
  const bool all_strings = value.is_array() && std::ranges::all_of(value, [](const json& element) {
                             return element.is_string();
                           });
  if (!all_strings) reject_field(name, "is not a list of strings", "Write [\"…\", \"…\"].");
  return value.get<std::vector<std::string>>();
}

std::vector<Fields> Fields::objects(const std::string& name) {
  const json& value = take(name);
  if (!value.is_array() || value.empty()) {
    reject_field(name, "is not a list of objects", "Write [{…}, {…}] with at least one object.");
  }
  std::vector<Fields> result;
  for (std::size_t index = 0; index < value.size(); ++index) {
    result.emplace_back(file_, path_of(name) + "[" + std::to_string(index) + "]", value[index]);
  }
  return result;
}

Fields Fields::object(const std::string& name) { return {file_, path_of(name), take(name)}; }

void Fields::finish() const {
  for (const auto& [name, value] : object_->items()) {
    if (!taken_.contains(name)) {
      reject_field(name, "is unknown", "Remove it, or correct its spelling.");
    }
  }
}

}  // namespace grader
