// Values of the contract as JSON.
//
//   boolean, integer        true, 3
//   number                  0.5, -0.0, "NaN", "Infinity", "-Infinity" (JSON has no words for them)
//   row vector              [0.5, 0.5]
//   matrix                  {"rows": 2, "columns": 1, "entries": [[1], [2]]}
//   record                  {"causal": true, "scaled": false}
//
// Numbers are written with the fewest digits that read back to the same bits; only the payload of a
// NaN is lost.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/contract/value.hpp"

namespace grader {

/// No limit on the entries of a written value.
inline constexpr std::size_t kEveryEntry = static_cast<std::size_t>(-1);

/// `value` as JSON. A matrix of more than `entry_limit` entries keeps the leading rows that fit and
/// gets "cut": true; a longer row vector becomes {"size", "entries", "cut": true}.
nlohmann::ordered_json value_to_json(const Value& value, std::size_t entry_limit = kEveryEntry);

/// What is needed to read `value` back exactly: the name of its kind, or for a record an object of
/// such kinds.
nlohmann::ordered_json kind_to_json(const Value& value);

/// The value of that kind. `where` names the place in the document for the UsageFault that anything
/// malformed causes.
Value value_from_json(const nlohmann::ordered_json& json, const nlohmann::ordered_json& kind,
                      const std::string& where);

/// The value whose kind is guessed from its form (an integral number becomes an integer): enough to
/// show it. Cut values come back as far as they were written.
Value shown_value_from_json(const nlohmann::ordered_json& json, const std::string& where);

/// The document as text: short objects and arrays on one line, everything else indented by two,
/// doubles in the shortest form. Strings must be valid UTF-8.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace grader
