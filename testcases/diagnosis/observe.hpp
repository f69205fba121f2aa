// What the diagnosis sees of a submission.
#pragma once

#include <vector>

#include "grader/contract/implementation.hpp"
#include "grader/diagnosis/evidence.hpp"
#include "grader/engine/check.hpp"

namespace attention_assignment {

/// Asks `implementation` the diagnostic questions and sets its answers against all known mistakes.
/// `assertion_checks` bring the data for the submission's own assertions. A submission that hangs,
/// or crashes all the time, gives no evidence. Throws EnvironmentFault.
grader::Evidence observe(grader::Implementation& implementation,
                         const std::vector<grader::Check>& assertion_checks);

}  // namespace attention_assignment
