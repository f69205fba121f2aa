#include "grader/pipeline/so_far.hpp"

#include <utility>

#include "grader/scorecard/redaction.hpp"

namespace grader {

Scorecard unfinished(Scorecard scorecard, const std::string& step) {
  scorecard.status = ScorecardStatus::environment_error;
  scorecard.is_unfinished = true;
  scorecard.error = "Grading did not end: it was stopped, or took too long, while " + step + ".";
  scorecard.error_hint =
      "What the checks that ended have found may still have changed. Submit again, or tell the "
      "course staff.";
  const HintLevel level = scorecard.hint_level;
  Scorecard shown = redacted(std::move(scorecard), level);
  // Afterwards: whether a check was run may be told at every level.
  for (ScoredCheck& check : shown.checks) {
    if (!was_run(check.result)) check.result.message = "Not run: grading did not get to it.";
  }
  return shown;
}

}  // namespace grader
