// The same submission once more, for AddressSanitizer and UndefinedBehaviorSanitizer.
#pragma once

#include <filesystem>
#include <optional>

#include "grader/assignment/load.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

/// Compiles `submission` with prelude/replay.cpp and line numbers into a program in `workspace` (a
/// directory of the grader's own) and returns its path; nothing when it does not compile within the
/// limits of a build, which says nothing about the submission. Throws EnvironmentFault.
std::optional<std::filesystem::path> build_with_sanitizers(const Submission& submission,
                                                           const LoadedAssignment& assignment,
                                                           const std::filesystem::path& workspace);

}  // namespace grader
