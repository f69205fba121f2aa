// How strongly this machine can isolate a submission, found by trying (never by reading settings).
#pragma once

#include <string>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// L4 namespaces + cgroup, L3 namespaces, L2 other uid + Landlock, L1 same uid + Landlock,
/// L0 seccomp + rlimits, none (less than that). This version can run submissions at L4 and L3.
Isolation probe_isolation();

/// The kernel filters system calls for programs that ask for it.
bool seccomp_available();
/// Version of the kernel's Landlock interface, 0 where there is none.
int landlock_version();
/// A control group with limits on memory and processes can be made here.
bool cgroup_available();

}  // namespace grader
