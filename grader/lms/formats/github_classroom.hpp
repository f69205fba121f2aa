// Lines for $GITHUB_ENV that GitHub Classroom's autograding reporter takes for the results of its
// test runners.
//
// Source: src/ of classroom-resources/autograding-grading-reporter. The reporter adds up points
// twice: its table takes passed/all tests of a runner times the runner's most points, Classroom
// gets the sum of the tests' scores. With one test a runner both are the same, so each check is a
// runner of its own. Of a test that fails only `name` and `test_code` are printed, so `test_code`
// holds what is told of it. What the reporter prints goes through the command language of GitHub
// Actions ("::error::" at the start of a line, "##[" anywhere); both are broken up.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// A line NAME_RESULTS=<base64 of JSON> for each check and the line
/// ATTENTION_GRADER_RUNNERS=NAME,NAME,… for the reporter's input `runners`. A submission that was
/// not checked is one runner that fails with all points lost; where nothing was graded it is one
/// that is in error and has no points, of which Classroom is told nothing.
std::string github_classroom_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
