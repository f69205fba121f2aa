// Runs one stored counterexample again: what a grade can be defended with.
#pragma once

#include <filesystem>
#include <string>

#include "grader/assignment/load.hpp"
#include "grader/pipeline/grade_submission.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

struct ReplayRequest {
  std::string check;                 ///< id
  std::filesystem::path submission;  ///< the clean tree beside the scorecard, or another copy
  /// Accept a submission that is not the graded one, to see whether a change helps.
  bool is_changed = false;
};

/// The stored check of `scorecard` with the verdict that its stored input gives now, in a process
/// of its own. `workspace` is an empty directory for the work. Throws UsageFault when the scorecard
/// belongs to another assignment or submission, does not know the check, or holds no input for it;
/// EnvironmentFault when the machine cannot run it.
ScoredCheck replay(const Scorecard& scorecard, const ReplayRequest& request,
                   const LoadedAssignment& assignment, const std::filesystem::path& workspace,
                   const StepProgress& progress = {});

/// What `replay` runs when no submission is named: the clean tree beside the scorecard. Throws
/// UsageFault when it is not there.
std::filesystem::path kept_submission(const std::filesystem::path& scorecard);

}  // namespace grader
