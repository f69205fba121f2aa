// What a student handed in, whatever a download called it.
#pragma once

#include <filesystem>
#include <string>

#include "grader/assignment/policy.hpp"

namespace grader {

/// The digest of all of a hand-in that its grade depends on: what intake takes from it, what it
/// leaves out and what it refuses, but not the name that it has in a download. Equal digests are
/// graded alike. Throws UsageFault when it cannot be read, EnvironmentFault like take_in.
std::string content_digest(const std::filesystem::path& path, const Policy& policy);

/// A copy of a hand-in that is a single file below `workspace`, under a name that says nothing but
/// what kind of file it is, so that results name the student's work and never a download's idea of
/// it; a folder is returned as it is. Throws UsageFault, EnvironmentFault.
std::filesystem::path under_neutral_name(const std::filesystem::path& path, const Policy& policy,
                                         const std::filesystem::path& workspace);

}  // namespace grader
