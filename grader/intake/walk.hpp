// Reads the files of a submission without ever leaving it.
#pragma once

#include <filesystem>

#include "grader/assignment/policy.hpp"
#include "grader/intake/collector.hpp"

namespace grader {

/// Collects the sources and headers at and beneath `path`, a file, a folder or an archive, within
/// the limits of `policy`. Throws UsageFault when `path` does not exist or something in it cannot
/// be read.
Walk walk(const std::filesystem::path& path, const Policy& policy);

}  // namespace grader
