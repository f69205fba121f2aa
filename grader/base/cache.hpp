// Where this user keeps what can be made again.
#pragma once

#include <filesystem>

namespace grader {

/// $XDG_CACHE_HOME/attention-grader (or ~/.cache/attention-grader), made if it is not there; empty
/// when no place can be trusted (it is not ours, or others may write to it).
std::filesystem::path cache_directory();

/// True for a directory of ours that nobody else may write to.
bool is_trusted(const std::filesystem::path& directory);

/// Removes what nobody has used for a month from a folder of the cache. Best effort: another worker
/// may do the same.
void remove_unused(const std::filesystem::path& folder);

/// Notes that an entry of the cache has just been used.
void note_use(const std::filesystem::path& entry);

}  // namespace grader
