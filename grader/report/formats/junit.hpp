// The scorecard as JUnit's XML, which build servers and editors read.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// One test suite an objective, one test case a check: lost points are failures, what could not be
/// judged is skipped, faults of the machine are errors.
std::string junit_report(const Scorecard& scorecard, const CommandOptions& commands);

/// `text` as XML shows it, in elements and attributes.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace grader
