// What a student may see of a scorecard.
#pragma once

#include "grader/assignment/policy.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// The scorecard as `most_told` lets it be told; one that tells less already stays as it is.
/// `hint_level` of the result says how much it tells:
///   full        everything
///   hints       no counterexamples and no replay, and nothing that the submission printed (it
///               could print its inputs); messages and hints stay
///   score_only  besides, no messages, hints, diagnosis, coverage and seed: statuses and points
/// Diagnostics of the compiler always stay: they say nothing about the checks.
Scorecard redacted(Scorecard scorecard, HintLevel most_told);

}  // namespace grader
