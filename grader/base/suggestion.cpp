#include "grader/base/suggestion.hpp"

#include <algorithm>
#include <cstddef>

namespace grader {
namespace {

// Insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t column = 0; column <= right.size(); ++column) row[column] = column;
  for (std::size_t line = 1; line <= left.size(); ++line) {
    std::size_t diagonal = row[0];
    row[0] = line;
    for (std::size_t column = 1; column <= right.size(); ++column) {
      const std::size_t above = row[column];
      const std::size_t replaced = diagonal + (left[line - 1] == right[column - 1] ? 0U : 1U);
      row[column] = std::min({above + 1, row[column - 1] + 1, replaced});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestName = 200;  // what is longer is no slip of the finger
  if (name.size() > kLongestName) return "";
  std::string best;
  std::size_t fewest = name.size() / 3 + 2;
  for (const std::string& candidate : known) {
    const std::size_t edits = edit_distance(name, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best.empty() ? "" : "Did you mean " + best + "? ";
}

}  // namespace grader
