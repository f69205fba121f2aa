// What an Autolab autograder prints: the report, then Autolab's own two lines.
//
// Source: assessment_autograde_core.rb, assessments_controller.rb and views/assessments/_semantic
// of autolab/Autolab. Autolab reads the scores from the last line, after it has put quotes around
// every "word:" in it, so no name may show a colon behind a letter or digit; names are found by
// equality in the assessment's problems. From the line before it come the tables of formatted
// feedback. When nothing was graded the scores are null, which Autolab shows as ungraded; any line
// that it could not read would enter a zero.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// Problems are the objectives, by title; with ExportOptions::column it is one problem of that
/// name. Throws UsageFault when two objectives have the same title.
std::string autolab_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
