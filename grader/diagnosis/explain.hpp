// Finds the mistakes that explain what was observed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

/// One mistake that is part of the explanation, or a stage that nothing explains.
struct Finding {
  std::size_t mistake = 0;  ///< index into Evidence::mistakes
  bool is_known = true;     ///< false: `stage` is wrong and nothing known reproduces it
  std::size_t stage = 0;    ///< the first wrong stage it shows in
  std::size_t cases = 0;    ///< inputs on which the correct answer differs from the submission's
  std::vector<std::string> indistinguishable;  ///< other ids that explain as much
};

/// The smallest set of mistakes that reproduces the submission's answers on every case of every
/// stage. A stage that a correct program reproduces is never accused. Findings come in the order of
/// the stages; empty when all of them are right.
std::vector<Finding> explain(const Evidence& evidence);

}  // namespace grader
