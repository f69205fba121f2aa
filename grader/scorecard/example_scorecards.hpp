// Hand-made scorecards of every kind, for the tests of what reads and shows them.
#pragma once

#include "grader/scorecard/scorecard.hpp"

namespace grader::examples {

/// Every check passed.
Scorecard all_right();
/// The mask applied after the softmax: failed checks with counterexamples of every form (a fixed
/// case, wrong shapes, non-finite numbers, a shared message, a blocked check, assertions).
Scorecard masked_too_late();
/// A crash, a time-out, an exception and a failure that depends on earlier calls.
Scorecard faulty();
/// The same with a figure of each kind.
Scorecard with_figures();
/// Does not compile.
Scorecard not_built();
/// Refused by intake.
Scorecard refused();
/// The machine could not grade.
Scorecard environment_error();
/// Stopped half way: checks that passed and failed, one that could not be judged, and some that did
/// not run.
Scorecard unfinished();
/// Strings and values that try to break out of a document or a terminal.
Scorecard hostile();

}  // namespace grader::examples
