// Names the mistakes of a submission.
#pragma once

#include <vector>

#include "grader/assignment/assignment.hpp"
#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

/// Lets the judge module observe `implementation` and explains what it saw, with the words of the
/// judge's models. Empty when every stage is right, or when the module observes nothing (a call
/// that it needs does not return). Throws EnvironmentFault; InternalFault when the module names a
/// mistake that it has no model of.
std::vector<Diagnosis> diagnose(const Judge& judge, Implementation& implementation);

}  // namespace grader
