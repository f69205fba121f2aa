// The one text that all ways of writing the same JSON document have: what signatures are made of.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// `document` in the form of RFC 8785 (JSON Canonicalization Scheme): UTF-8, no blanks, members
/// sorted by the UTF-16 code units of their names, strings with the fewest escapes, numbers as
/// ECMAScript writes them. One thing beyond the RFC, which has only doubles: whole numbers that are
/// written without point and exponent and fit 64 bits keep all digits (a seed may need them).
///
/// Throws UsageFault, one sentence that calls the document `name`, for what is not JSON, has a
/// member twice in one object, or is nested too deeply: flaw_in_json.
std::string canonical_json(std::string_view document, const std::string& name);

}  // namespace grader
