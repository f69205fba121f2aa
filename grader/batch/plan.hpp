// Which of the attempts have to be graded, and which get the results of another one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/attempt.hpp"
#include "grader/gradebook/gradebook.hpp"

namespace grader {

/// An attempt without a grade, and the digest of what was handed in.
struct PlannedAttempt {
  Attempt attempt;
  std::string content;
};

/// Attempts that are alike to the last byte: one grade for all.
struct PlannedGroup {
  std::vector<PlannedAttempt> attempts;
  /// The folder of a run that has this grade already; nothing: the first attempt is graded.
  std::optional<std::string> graded;
};

struct Plan {
  std::vector<PlannedGroup> groups;  ///< in the order of their first attempts
  std::size_t finished = 0;          ///< attempts that have their grade
  std::size_t pending = 0;           ///< attempts in `groups`
};

struct PlanOptions {
  std::string configuration;  ///< digest
  bool grades_again = false;  ///< also what has its grade
};

/// `content_of` gives an attempt's content digest; when it throws UsageFault (the files cannot be
/// read), the attempt is planned alone, and grading it will say the same.
Plan make_plan(const std::vector<Attempt>& attempts, const Gradebook& gradebook,
               const PlanOptions& options,
               const std::function<std::string(const Attempt&)>& content_of);

}  // namespace grader
