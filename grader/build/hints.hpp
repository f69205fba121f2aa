// The slip behind a failed build.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// What a hint is made from.
struct FailedBuild {
  std::string diagnostics;                  ///< cleaned
  std::string contract;                     ///< text of the contract's headers
  std::string sources;                      ///< text of the submission's sources
  std::vector<std::string> function_names;  ///< of the contract
};

/// What is wrong, in one sentence, and the next step for the student.
struct BuildAdvice {
  std::string problem;  ///< "The submission does not link: attention::softmax is missing."
  std::string hint;     ///< a general one when the slip is none of the usual ones
};

BuildAdvice advice_for(const FailedBuild& failed);

}  // namespace grader
