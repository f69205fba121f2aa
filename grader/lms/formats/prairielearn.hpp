// results.json as PrairieLearn's external graders write it.
//
// Sources: docs/externalGrading.md, apps/grader-host/src/index.ts, externalGrader.ts and the
// element pl-external-grader-results of PrairieLearn/PrairieLearn. The score is a fraction; outside
// of [0, 1] it is taken for an error. `gradable` is false for what was no attempt: not built,
// refused, or not graded because the machine or the grader failed. The student then keeps the
// attempt and gets the reasons as `format_errors`. The file is refused above 1 MiB.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// A test a check, with points and most points (were they missing in one, PrairieLearn would show
/// none), and each figure that is a heatmap or a plot as an image. Throws UsageFault for a
/// scorecard with more points than there are.
std::string prairielearn_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
