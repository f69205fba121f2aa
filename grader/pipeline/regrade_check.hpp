// One check graded again alone: its new result among the old ones of all others.
//
// That is honest only where everything else that decides a result is as it was. What can be told
// from a scorecard is: the grader, the seed, the cases, the hint level, the compiler, which checks
// there are and what each of the others is worth. Whether a changed judge module judges the others
// as before cannot; so it is kept on record which check is of which version of the assignment, and
// the configuration is neither version's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/pipeline/grade_submission.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// A check that was graded again alone, with another version of the assignment than the rest.
struct RegradedCheck {
  std::string id;
  std::string assignment_digest;
};

/// A result to keep but for one check.
struct EarlierResult {
  Scorecard scorecard;
  std::vector<RegradedCheck> regraded;  ///< by id; empty: all checks were graded in one run
};

/// What a check is graded again with.
struct Regrading {
  const LoadedAssignment& assignment;
  const GradeOptions& options;
  std::string toolchain;  ///< describe_toolchain
};

/// Why `check` of `earlier` cannot be graded again alone, one sentence; empty when it can.
std::string obstacle_to_regrading(const EarlierResult& earlier, const std::string& check,
                                  const Regrading& now);

/// Whether the result of `check` in `earlier` is of this version of the assignment, and others are
/// not: it was graded again alone before.
bool is_regraded(const EarlierResult& earlier, const std::string& check,
                 const LoadedAssignment& assignment);

/// EarlierResult::regraded once `check` is of this version of the assignment.
std::vector<RegradedCheck> regraded_after(const EarlierResult& earlier, const std::string& check,
                                          const LoadedAssignment& assignment);

/// The configuration of the scorecard that with_check_of makes.
std::string configuration_after_regrading(const EarlierResult& earlier, const std::string& check,
                                          const Regrading& now);

/// Like grade_submission, but runs `check` alone: the others are not run.
Scorecard grade_check(const std::filesystem::path& submission, const std::string& check,
                      const LoadedAssignment& assignment, const GradeOptions& options,
                      const std::filesystem::path& workspace);

/// The scorecard of `earlier` with the result of `check` in `fresh`, which grade_check made of the
/// same submission. What was diagnosed is of `fresh` too, since it explains what is wrong now.
/// Throws UsageFault when it is another submission, EnvironmentFault when `fresh` was not graded
/// though `earlier` was.
Scorecard with_check_of(const Scorecard& fresh, EarlierResult earlier, const std::string& check,
                        const Regrading& now);

}  // namespace grader
