// overrides.jsonl: scores that a person set, kept apart from what was computed. One JSON object a
// line, only ever appended to, so that every decision stays on record with its reason.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/gradebook/records.hpp"

namespace grader {

/// All of them in the order in which they were made; none when the file does not exist. Throws
/// UsageFault naming the line that is damaged: whose score that was, nobody knows.
std::vector<OverrideRecord> read_overrides(const std::filesystem::path& file);

/// Appends one as a line of its own and forces it to the disk. Throws EnvironmentFault, and then
/// the file is as it was.
void append_override(const std::filesystem::path& file, const OverrideRecord& record);

}  // namespace grader
