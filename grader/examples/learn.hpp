// Takes the failing inputs out of scorecards into the examples database.
#pragma once

#include <string>
#include <vector>

#include "grader/examples/examples.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

struct Learned {
  std::vector<Example> examples;  ///< the known ones and the new ones, in this order
  std::size_t added = 0;
  std::vector<std::string> not_kept;  ///< why inputs were not kept, each reason once
};

/// Adds to `known` the smallest failing input of every check in `scorecards` that is not known yet.
/// Kept is only what the reference and every correct style of `judge` pass on.
Learned learn_examples(std::vector<Example> known, const std::vector<Scorecard>& scorecards,
                       const Judge& judge);

}  // namespace grader
