// results.json as Gradescope's autograder harness reads it.
//
// Source: gradescope/autograder_samples, docs/specs.md. `output` is "text" everywhere, because the
// other forms (HTML, Markdown, ANSI) would interpret what a submission wrote. A submission that was
// not built or was refused has zero points; one that the machine or the grader could not grade has
// neither `score` nor `tests`, of which Gradescope demands one: it then says that the autograder
// failed, and enters no score. What was found before a grading was stopped is told in `output`, and
// not in tests without a score, which Gradescope may add up to zero.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// A test a check, in the order of the objectives ("2.1", "2.2", …), and one in front, without
/// points, that says whether the submission could be graded; that one is always visible. The most
/// points of all tests always add up to those of the assignment. `score` is the scorecard's own.
std::string gradescope_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
