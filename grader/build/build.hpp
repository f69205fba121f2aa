// Build: from a clean tree to the shared object that the host loads, in a box without network that
// sees the toolchain, the contract and the tree alone.
//
// Theory of operation. Everything that is the same for every submission of an assignment is made
// once and kept (prelude.hpp): a precompiled header of the contract and the objects that are linked
// into each submission. Per submission one compiler runs per source file, the linker once.
// Whatever the compiler prints is untrusted: it is bounded in the box, stripped of paths that are
// not the student's, neutralised, and explained by one hint (hints.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/intake/submission.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

struct BuildOutcome {
  BuildReport report;
  std::filesystem::path shared_object;  ///< exists exactly when report.status is built
  std::string toolchain;                ///< "g++ (Debian 12.2.0-14+deb12u1) 12.2.0, Eigen 3.4.0"
  std::vector<std::string> notices;
  std::map<std::string, double> timing;  ///< seconds: "prelude", "compile"
};

/// Compiles and links `submission` into `workspace`/student.so (`workspace` is a directory of the
/// grader's own; it is created if need be). What the submission did wrong is in the report. Throws
/// EnvironmentFault when the compiler, the box or the disk is what fails.
BuildOutcome build(const Submission& submission, const LoadedAssignment& assignment,
                   const std::filesystem::path& workspace);

/// The compiler and library versions that build() uses, as in BuildOutcome::toolchain: part of what
/// decides a result. Throws EnvironmentFault when there is no compiler.
std::string toolchain_description(const LoadedAssignment& assignment);

}  // namespace grader
