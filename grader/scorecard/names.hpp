// The words that enumerators have in scorecards, reports and on the command line.
#pragma once

#include <optional>
#include <string_view>

#include "grader/assignment/policy.hpp"
#include "grader/contract/value.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// "graded", "not_built", …: the enumerator's own name.
[[nodiscard]] std::string_view name_of(ScorecardStatus status);
[[nodiscard]] std::string_view name_of(BuildStatus status);
[[nodiscard]] std::string_view name_of(CheckStatus status);
[[nodiscard]] std::string_view name_of(HintLevel level);
[[nodiscard]] std::string_view name_of(Kind kind);

/// The enumerator with that name, or nothing. E is one of the types above.
template <class E>
[[nodiscard]] std::optional<E> named(std::string_view name);

}  // namespace grader
