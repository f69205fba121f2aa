// Turns what the checks found out into points.
#pragma once

#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// Points of one run: the policy's checks in the policy's order, the policy's objectives in theirs.
struct Scoring {
  std::vector<ScoredCheck> checks;
  std::vector<ObjectiveScore> objectives;
  double score = 0;
  double max_score = 0;
};

/// All or nothing per check: a passed check earns its points, everything else earns none (a check
/// that could not be judged included). A check of the policy without a result counts as not run,
/// so that `score_results(policy, {})` is the sheet of a submission that was not built. Throws
/// InternalFault for a result that the policy does not know or that comes twice.
Scoring score_results(const Policy& policy, std::vector<CheckResult> results);

/// Puts a scoring into the scorecard.
void enter_scoring(Scorecard& scorecard, Scoring scoring);

}  // namespace grader
