// Where a call crashed: the call is made once more by a program that the sanitizers watch.
//
// Theory of operation. For each kind of fault of each function, the call of the smallest failing
// case is made again by a program of its own (build/sanitized_build.hpp), in a box like the
// compiler's: the sanitizers need what the run box forbids, so this happens only where namespaces
// hide the machine (L3 and up). AddressSanitizer reserves terabytes of addresses; what bounds it is
// a limit on resident memory, on the processor's and on the wall's time. What it writes is
// validated (sanitizer_log.hpp), and decides nothing but the line that the report shows.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

/// Fills file, line and access of the faults in `results` where they can be found out. Nothing is
/// done when no call crashed. `workspace` is a directory of the grader's own. Throws
/// EnvironmentFault.
void locate_faults(std::vector<CheckResult>& results, const Submission& submission,
                   const LoadedAssignment& assignment, const std::filesystem::path& workspace);

}  // namespace grader
