// The same submission once more, as a program that makes one call of it and shows where that goes
// wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "grader/assignment/load.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

/// What a program watches for.
enum class Watch : std::uint8_t {
  faults,  ///< AddressSanitizer and UndefinedBehaviorSanitizer
  steps,   ///< prelude/steps.cpp: where a call is that does not end
};

/// Compiles `submission` with prelude/replay.cpp and line numbers into a program in `workspace` (a
/// directory of the grader's own) and returns its path; nothing when it does not compile within the
/// limits of a build, which says nothing about the submission. Throws EnvironmentFault, also when
/// nothing at all can be built that way here.
std::optional<std::filesystem::path> build_watched(const Submission& submission,
                                                   const LoadedAssignment& assignment, Watch watch,
                                                   const std::filesystem::path& workspace);

}  // namespace grader
