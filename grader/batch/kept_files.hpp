// Which files of a results folder are a batch's own.
#pragma once

#include <filesystem>

namespace grader {

/// Whether `path` is, or lies in, what a batch alone may write in its results folder `root`:
/// everything there but the page and the table, which every report makes anew. Links are followed.
[[nodiscard]] bool is_kept_by_batch(const std::filesystem::path& root,
                                    const std::filesystem::path& path);

}  // namespace grader
