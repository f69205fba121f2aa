// How strongly this machine can isolate a submission, found by trying (never by reading settings).
#pragma once

#include <string>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// L4 namespaces + cgroup, L3 namespaces, L2 other uid + Landlock, L1 same uid + Landlock,
/// L0 seccomp + rlimits, none (less than that). This version can run submissions at L4 and L3.
Isolation probe_isolation();

}  // namespace grader
