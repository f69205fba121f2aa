// The checks of the lesson, one function an objective, in the order of the lesson.
#pragma once

#include <string>
#include <vector>

#include "grader/engine/check.hpp"
#include "testcases/checks/trusted.hpp"

namespace attention_assignment {

// `trusted` outlives the checks.
std::vector<grader::Check> shapes_checks(const Trusted& trusted);
std::vector<grader::Check> scaling_checks(const Trusted& trusted);
std::vector<grader::Check> mask_checks();
std::vector<grader::Check> softmax_checks(const Trusted& trusted);
std::vector<grader::Check> values_checks(const Trusted& trusted);
std::vector<grader::Check> whole_checks(const Trusted& trusted);

/// All of them, the student's own assertions before `whole`.
std::vector<grader::Check> all_checks(const Trusted& trusted);

/// Ids of the checks that ask `Trusted` for numbers; all others judge the submission against
/// itself and run on fresh random cases anywhere.
std::vector<std::string> checks_that_need_trusted();

/// Ids of the checks that are judged end to end: a mistake of any objective may show there.
std::vector<std::string> end_to_end_checks();

}  // namespace attention_assignment
