// JSON from outside. All that is read passes flaw_in_json first: nothing of it is built before its
// depth is known, for whatever walks a document calls itself once a level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// No document of ours comes near it.
inline constexpr std::size_t kDeepestJson = 100;

/// Why a text is not read as JSON.
struct JsonFlaw {
  enum class Kind : std::uint8_t {
    syntax,
    number_too_large,  ///< for a double: 1e999
    half_character,    ///< a surrogate without its other half
    too_deep,          ///< deeper than kDeepestJson levels
    member_twice,      ///< in one object: readers disagree which one counts
  };
  Kind kind = Kind::syntax;
  std::size_t byte = 0;  ///< where the syntax goes wrong, from 1 on
  std::string member;    ///< the one that is there twice, as it stands there
};

/// The first flaw of `document`, or nothing. Takes no stack for nesting.
std::optional<JsonFlaw> flaw_in_json(std::string_view document);

/// "is not JSON: it ends or goes wrong at byte 7": one line for people, without a full stop.
std::string words_for(const JsonFlaw& flaw);

/// `document`, or a discarded value when it has a flaw.
template <class Json = nlohmann::json>
Json parsed_json(std::string_view document) {
  if (flaw_in_json(document)) return Json(Json::value_t::discarded);
  return Json::parse(document, nullptr, false);
}

}  // namespace grader
