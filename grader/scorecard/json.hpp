// The scorecard as a JSON document and back: scorecard.schema.json says what it looks like.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// The scorecard as a document of scorecard.schema.json, keys in a fixed order, ending in a
/// newline. The same scorecard gives the same bytes. Every string becomes valid plain text
/// (plain_text), returned values are cut at 8192 entries, inputs of counterexamples never.
std::string scorecard_to_json(const Scorecard& scorecard);

/// Reads a document that scorecard_to_json wrote. `name` is what messages call it. Throws
/// UsageFault when it is not JSON, not a scorecard, of another schema version, or damaged.
Scorecard scorecard_from_json(std::string_view document, const std::string& name);

/// The scorecard in `file`. Throws UsageFault.
Scorecard read_scorecard(const std::filesystem::path& file);

}  // namespace grader
