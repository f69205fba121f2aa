// The scorecard as JUnit's XML, which build servers and editors read.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// One test suite, in it a test case "submission", which fails when the submission was not checked,
/// and one a check, its objective as the class: lost points are failures, what could not be judged
/// is skipped, faults of the machine are errors. One suite, because Artemis puts the names of
/// several before those of their tests, and tests keep their names that way. `message` holds all
/// there is to show, its lines kept.
std::string junit_report(const Scorecard& scorecard, const CommandOptions& commands);

/// `text` as XML shows it, in elements and attributes.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace grader
