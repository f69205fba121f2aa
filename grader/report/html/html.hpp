// The report as one web page: everything in one file, nothing loaded from anywhere, readable
// without its script, on a phone and on paper.
#pragma once

#include <string>

#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// The page. Texts of the submission are shown as text: the template engine escapes them, and the
/// page's own policy (Content-Security-Policy) runs no script but the one that it names by its
/// hash.
std::string html_report(const Scorecard& scorecard, const CommandOptions& commands);

}  // namespace grader
