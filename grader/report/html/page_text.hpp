// What the tests of pages ask of their text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace grader {

/// How often `part` stands in `text`.
inline std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t place = text.find(part); place != std::string::npos;
       place = text.find(part, place + 1)) {
    ++found;
  }
  return found;
}

inline bool has(const std::string& text, std::string_view part) { return count(text, part) > 0; }

}  // namespace grader
