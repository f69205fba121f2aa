// How strongly this machine can isolate a submission, found by trying (never by reading settings).
#pragma once

#include <string>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// The level in use (sandbox/level.hpp) and what is missing for the highest.
Isolation probe_isolation();
/// One sentence for whoever reads a result, when submissions are isolated less than by namespaces;
/// empty otherwise.
std::string isolation_notice(const Isolation& isolation);

/// The kernel filters system calls for programs that ask for it.
bool seccomp_available();
/// A control group with limits on memory and processes can be made here.
bool cgroup_available();

}  // namespace grader
