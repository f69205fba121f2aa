// What every submission of an assignment needs and none changes, compiled once per assignment,
// toolchain and flags, and kept:
//
//   prelude.hpp(.gch)   Eigen's assertions as exceptions, the contract's headers, promised kernels
//   dispatch.o          the assignment's table of calls
//   assertions.o        what a failed assertion says
//   kernels.o           Eigen's product kernels
//
// Kept in $XDG_CACHE_HOME/attention-grader/<key>/ (or ~/.cache), made under another name and
// renamed, so that parallel workers see it whole or not at all. The key is a digest of everything
// that goes in, the versions of compiler and libraries included: an entry is never stale, only
// unused, and unused ones are removed after a month.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/base/files.hpp"
#include "grader/build/toolchain.hpp"

namespace grader {

struct Prelude {
  std::filesystem::path directory;  ///< mount it at kPreludeInBox
  std::string toolchain;            ///< see describe_toolchain
  std::vector<std::string> notices;
  std::unique_ptr<TemporaryDirectory> temporary;  ///< owns `directory` when nothing can be kept
};

/// The files of a prelude that are linked into every submission, as seen in the box.
std::vector<std::string> prelude_objects();

/// Finds or makes the prelude. Throws UsageFault when the assignment's own files do not compile,
/// EnvironmentFault when the machine is at fault.
Prelude provide_prelude(const LoadedAssignment& assignment, const Toolchain& toolchain);

}  // namespace grader
