// The way of one submission through the grader, from what was handed in to its scorecard.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "grader/assignment/load.hpp"
#include "grader/pipeline/so_far.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// What the person who grades may choose; what is left open comes from the assignment's policy.
struct GradeOptions {
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> cases;
  std::optional<HintLevel> hint_level;
  /// Gives the kept result when the same bytes were graded in the same way before (KeptResults).
  bool reuses_results = false;
};

/// Called before each step with a few words: "compiling", "checking softmax.row_sums (9 of 26)".
using StepProgress = std::function<void(const std::string&)>;

/// Grades what lies at `submission`. `workspace` is an empty directory for the work; afterwards
/// `workspace`/submission holds the clean tree (unless the submission was refused).
///
/// Whatever the submission does is in the scorecard, and so are faults of the machine
/// (environment_error) and of the grader (internal_error), which cost no mark. Throws UsageFault
/// when the path does not exist. `take_so_far` is given what was found until then, now and then
/// (so_far.hpp); what it throws ends the grading like a fault of the machine.
Scorecard grade_submission(const std::filesystem::path& submission,
                           const LoadedAssignment& assignment, const GradeOptions& options,
                           const std::filesystem::path& workspace,
                           const StepProgress& progress = {}, const TakeSoFar& take_so_far = {});

/// What such a grading would first give to `take_so_far`: nothing was found yet.
Scorecard begun(const LoadedAssignment& assignment, const GradeOptions& options);

/// The scorecard of a submission that the machine could not grade, for the reason `error`: what a
/// host shows when not even the program runs there.
Scorecard ungraded(const LoadedAssignment& assignment, const std::string& error,
                   const std::string& hint);

/// The grader's own version, "1.0.0".
std::string grader_version();

}  // namespace grader
