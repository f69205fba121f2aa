// Observations of property-based tests as JSON lines: what Hypothesis writes and the viewer Tyche
// reads.
//
// Sources: schema_observations.json of HypothesisWorks/hypothesis, and observability-tools and
// webview-ui of tyche-pbt/tyche-extension. The two differ: Tyche wants `how_generated` and
// `content` to be strings and takes a line of type "error" for a broken file, Hypothesis wants
// every field to be there. What is written here holds for both.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// A property a check. A scorecard does not hold every case that was tried, so these lines do not
/// either: each check has one "info" line with the numbers of cases and of each kind of input, each
/// failed one besides a "test_case" for the first failing input and one for the smallest, with the
/// inputs as `arguments`, their kind and sizes as `features`, and what was returned and expected in
/// `metadata`. A check that could not be judged gave up; where nothing was checked, the property
/// "submission" says why. `run_start` is when the scorecard was written less the time it took, or
/// 0.
std::string observations_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
