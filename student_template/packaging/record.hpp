// Fills the store that a student's folder carries, and proves it complete.
#pragma once

#include "grader/assignment/policy.hpp"
#include "home/numbers.hpp"

namespace attention_home {

/// Runs every check of `policy` on the reference and records what the checks ask for; then runs
/// them once more on the recorded numbers alone. Throws grader::InternalFault when a check does not
/// pass or a case stays unjudged.
[[nodiscard]] Numbers record(const grader::Policy& policy);

}  // namespace attention_home
