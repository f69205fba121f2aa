// What a check saw beside what it expected.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/engine/check.hpp"
#include "grader/report/layout.hpp"

namespace grader {

/// Tables of returned beside expected values, the first difference marked. Values that agree to the
/// bit are left out when others do not; big ones are cut around the difference. Tables that do not
/// fit side by side have fewer digits, or stand one below the other.
[[nodiscard]] std::vector<std::string> comparison_text(const Judgement& judgement,
                                                       std::size_t indent, const Paint& paint);

}  // namespace grader
