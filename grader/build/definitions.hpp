// Which functions C++ source text defines, and where: enough reading of C++ for hints, no parser.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// The name of the first namespace that `source` opens, or empty.
std::string first_namespace(std::string_view source);

/// The functions among `names` that `sources` define at namespace scope, but neither inside
/// `wanted` nor with its name in front (wanted::name). Comments, literals and directives count for
/// nothing; macros are not expanded.
std::vector<std::string> defined_outside(std::string_view sources, const std::string& wanted,
                                         const std::vector<std::string>& names);

}  // namespace grader
