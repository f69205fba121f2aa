// How reports present the checks: which inputs they show with which failure, and what they call
// the two sides of a comparison. Judging needs none of it.
#pragma once

#include <vector>

#include "grader/engine/check.hpp"

namespace attention_assignment {

/// Gives every check its input rules, and lets every violation name the function that was called
/// last and the sides of its comparison.
void present(std::vector<grader::Check>& checks);

}  // namespace attention_assignment
