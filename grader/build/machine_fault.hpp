// Tells a compile that the machine spoiled from one that the submission spoiled: an exhausted
// machine must never cost a mark.
#pragma once

#include <cstdint>

#include "grader/sandbox/box.hpp"

namespace grader {

/// The compiler was killed, or says that it could not start a program, open a file or find space.
/// A submission can print such words too, so they are a reason to look closer, not a proof.
bool may_be_the_machine(const BoxResult& result);

/// Throws EnvironmentFault when the shell that started the grader allows less memory or smaller
/// files (ulimit -v, ulimit -f) than `limits` promises to a compiler that has just failed.
void require_unlimited_shell(const BoxLimits& limits);

}  // namespace grader
