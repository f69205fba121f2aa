// Compares submissions as they lie on the disk.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/similarity/similarity_report.hpp"

namespace grader {

/// What the submissions whose clean trees (as intake leaves them) are in `trees` have in common;
/// positions in the report are those of `trees`. An empty path, or one where there is no folder, is
/// a student without a submission and like no other. `template_tree` holds what everybody was
/// given; it may be empty, or a folder that is not there. Only regular files are read, of each the
/// first megabyte. Throws EnvironmentFault for a file that cannot be read.
[[nodiscard]] SimilarityReport compare_trees(const std::vector<std::filesystem::path>& trees,
                                             const std::filesystem::path& template_tree);

}  // namespace grader
