// The part of a text report that shows one failure.
#pragma once

#include <string>
#include <vector>

#include "grader/report/failure.hpp"
#include "grader/report/layout.hpp"

namespace grader {

/// "✗ softmax.row_sums   row sums   0 / 6": the headline of one check.
std::string check_headline(const ScoredCheck& check, const Paint& paint);

/// What is known of a failure: message, smallest input, what came back beside what was expected.
std::vector<std::string> failure_details(const Failure& failure, const Paint& paint);

/// Headlines of all checks that fail alike, then their details, lesson, hint, and the command that
/// shows it again.
std::vector<std::string> failure_block(const Failure& failure, const Paint& paint);

}  // namespace grader
