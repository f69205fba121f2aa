// Two gradings of a class side by side: whose score changes, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/records.hpp"

namespace grader {

/// One submission that was graded before, afterwards, or both.
struct ScoreChange {
  std::string student;
  std::int64_t attempt = 1;
  std::optional<double> before;  ///< nothing: it had no score
  std::optional<double> after;
  /// What is different, a sentence each: first what was graded and how, then what came out.
  std::vector<std::string> reasons;
};

struct Comparison {
  std::vector<ScoreChange> changes;  ///< by student and attempt; only where the score changes
  /// The same score in another way: a check that passed fails and the like.
  std::vector<ScoreChange> same_score;
  std::size_t unchanged = 0;
};

/// Compares the standings of two gradebooks, or of one at two times.
Comparison compare(const std::vector<Standing>& before, const std::vector<Standing>& after);

/// The comparison as text for people.
std::string comparison_text(const Comparison& comparison);

}  // namespace grader
