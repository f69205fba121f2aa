// Files that belong to the program: what runs inside boxes.
#pragma once

#include <filesystem>
#include <string>

namespace grader {

/// The file `name` in lib/attention-grader/ beside or above the directory of the running
/// executable. Throws EnvironmentFault when it is missing.
std::filesystem::path support_file(const std::string& name);

}  // namespace grader
