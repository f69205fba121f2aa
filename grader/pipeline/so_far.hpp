// The result of a grading that has not ended yet, for hosts that may end it at any moment.
//
// It has no score: that there was not time enough is nothing that a submission has been proven to
// have done. Whoever asks for it gets it at each stage and before each check, and writes as much of
// it as there is time for; nothing is copied when nobody asks.
#pragma once

#include <functional>
#include <string>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// Takes what was found until now (Scorecard::is_unfinished), as much as its hint level tells.
using TakeSoFar = std::function<void(Scorecard so_far)>;

/// `scorecard`, with what was found until `step` ("compiling"), as it is shown when nothing comes
/// after it: without a score, redacted, and saying of each check that has not run that it has not.
[[nodiscard]] Scorecard unfinished(Scorecard scorecard, const std::string& step);

}  // namespace grader
