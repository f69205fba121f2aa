// Which inputs of a failing case people are shown.
#pragma once

#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

/// Applies the check's input rules to the cases of its result: clears `shown` of the inputs that
/// this failure does not depend on. Which function failed is known from the fault or the judgement;
/// when it is not, only bookkeeping and zero additions are left out.
void choose_shown_inputs(const Check& check, CheckResult& result);

}  // namespace grader
