// What a compiler printed, made fit for a report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grader {

/// Text to replace in diagnostics, in this order: {what the compiler wrote, what people see}.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// `raw` without paths of the box and of the machine, without what a library says about its own
/// insides, with long lines cut, neutralised (plain_text), at most `limit` bytes. `was_cut`: the
/// compiler printed more than was kept.
std::string clean_diagnostics(std::string_view raw, const Replacements& replacements, bool was_cut,
                              std::size_t limit);

/// The replacements that every build needs: directories of the box and of installed headers.
/// `system_includes` as in Policy.
Replacements path_replacements(const std::vector<std::string>& include_directories,
                               const std::vector<std::string>& system_includes);

}  // namespace grader
