// Which of the attempts have to be graded, and which get the results of another one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/attempt.hpp"
#include "grader/gradebook/gradebook.hpp"
#include "grader/pipeline/regrade_check.hpp"

namespace grader {

/// An attempt without a grade, the digest of what was handed in, and of what its grade will be made
/// with.
struct PlannedAttempt {
  Attempt attempt;
  std::string content;
  std::string configuration;
  std::vector<RegradedCheck> regraded = {};  ///< of its result, see EarlierResult
};

/// Attempts that are alike to the last byte: one grade for all.
struct PlannedGroup {
  std::vector<PlannedAttempt> attempts;
  /// The folder of a run that has this grade already; nothing: the first attempt is graded.
  std::optional<std::string> graded;
  /// The folder of the run whose results are kept but for one check (plan_check); empty: none.
  std::string earlier = {};
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

/// Gives an attempt's content digest, or throws UsageFault when the files cannot be read.
using ContentOf = std::function<std::string(const Attempt&)>;

/// What `content_of` gives; of what cannot be read, a digest of its own, so that it is planned
/// alone and grading it says why.
std::string content_or_reason(const Attempt& attempt, const ContentOf& content_of);

Plan make_plan(const std::vector<Attempt>& attempts, const Gradebook& gradebook,
               const PlanOptions& options, const ContentOf& content_of);

}  // namespace grader
