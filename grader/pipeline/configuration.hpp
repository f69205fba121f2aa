// What decides the result of a submission, besides the submission.
#pragma once

#include <string>

#include "grader/assignment/load.hpp"
#include "grader/pipeline/grade_submission.hpp"

namespace grader {

/// The digest of all that decides a result: grader, assignment, options (what is left open comes
/// from the assignment's policy) and `toolchain` (describe_toolchain).
std::string configuration_digest(const LoadedAssignment& assignment, const GradeOptions& options,
                                 const std::string& toolchain);

/// The same with the toolchain of this machine: the `configuration` of the scorecards that are made
/// here now. Throws EnvironmentFault when there is no compiler.
std::string configuration_here(const LoadedAssignment& assignment, const GradeOptions& options);

}  // namespace grader
