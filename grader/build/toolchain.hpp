// The compiler and linker of this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

struct Toolchain {
  std::filesystem::path compiler;  ///< absolute
  std::filesystem::path linker;    ///< mold, or empty for the compiler's own
  /// Changes whenever compiler, linker or a library header of the assignment does.
  std::string stamp;
};

/// Finds g++ and mold in `directories`, which lie below /usr, since the box shows no other. Throws
/// EnvironmentFault when there is no g++, or when a library of the assignment
/// (Policy::system_includes) is not installed.
Toolchain find_toolchain(const LoadedAssignment& assignment,
                         const std::vector<std::string>& directories = {"/usr/local/bin",
                                                                        "/usr/bin"});

/// "g++ (Debian 12.2.0-14+deb12u1) 12.2.0, Eigen 3.4.0"; asks the compiler.
std::string describe_toolchain(const Toolchain& toolchain, const LoadedAssignment& assignment);

/// Where things are inside the box.
inline constexpr const char* kSubmissionInBox = "/submission";
inline constexpr const char* kContractInBox = "/contract";
inline constexpr const char* kPreludeInBox = "/prelude";
inline constexpr const char* kOutputInBox = "/output";

/// The flags that decide what code means; the same for the prelude and for every submission.
std::vector<std::string> language_flags(const LoadedAssignment& assignment);

/// The same, and where a submission's own headers are found and what is included in front.
std::vector<std::string> submission_flags(const Submission& submission,
                                          const LoadedAssignment& assignment);

/// Environment of the compiler in the box.
std::vector<std::string> compiler_environment();

}  // namespace grader
