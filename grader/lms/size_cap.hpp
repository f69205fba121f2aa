// Documents that a platform takes up to a size only.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace grader {

/// `document` as text of at most `limit` bytes. When it would be longer, the longest of `texts`,
/// which point at strings inside it, are cut to one length, the greatest that fits, and end in a
/// sentence that says so. Throws UsageFault when it does not fit even without them.
[[nodiscard]] std::string text_within(nlohmann::ordered_json& document,
                                      const std::vector<nlohmann::ordered_json*>& texts,
                                      std::size_t limit);

}  // namespace grader
