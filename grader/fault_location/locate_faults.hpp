// Where a call crashed, or where it was when it did not end: the call is made once more by a
// program that watches it.
//
// Theory of operation. For each kind of fault of each function, the call of the smallest failing
// case is made again by a program of its own (build/watched_build.hpp), in a box like the
// compiler's: what watches needs what the run box forbids, so this happens only where namespaces
// hide the machine (L3 and up). AddressSanitizer reserves terabytes of addresses; what bounds it is
// a limit on resident memory, on the processor's and on the wall's time. What is written there was
// written by the submission's own process, so only places in files that were handed in are taken
// from it (places.hpp), and words of the grader's own for what happened there. A submission can
// forge no more than another of its own lines; and nothing but the report depends on that.
//
// A call that hangs is not sampled, since where it is at some moment differs from run to run: its
// steps are counted (prelude/steps.cpp), so that the same loop is found every time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

/// Fills file, line and access of the faults in `results` where they can be found out. Nothing is
/// done when every call returned. `workspace` is a directory of the grader's own. Returns sentences
/// for people about what could not be looked for. Throws EnvironmentFault and leaves `results` as
/// they were; a grade stands without the lines.
std::vector<std::string> locate_faults(std::vector<CheckResult>& results,
                                       const Submission& submission,
                                       const LoadedAssignment& assignment,
                                       const std::filesystem::path& workspace);

}  // namespace grader
