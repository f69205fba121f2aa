// The part of a text report that shows one failure.
#pragma once

#include <string>
#include <vector>

#include "grader/report/layout.hpp"
#include "grader/report/text.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// "✗ softmax.row_sums   row sums   0 / 6": the headline of one check.
std::string check_headline(const ScoredCheck& check, const Paint& paint);

/// Headlines of all `alike` checks, then what they share: message, smallest input, what came back
/// beside what was expected, lesson, hint, and the command that shows it again for the first.
std::vector<std::string> check_block(const std::vector<const ScoredCheck*>& alike,
                                     const TextOptions& options, const Paint& paint);

}  // namespace grader
