// Inputs of a case as small tables side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/engine/case.hpp"
#include "grader/report/layout.hpp"

namespace grader {

/// Columns between tables that stand side by side.
inline constexpr std::size_t kGap = 4;

/// Rows and columns of a matrix that are shown; larger ones are cut around what matters.
inline constexpr std::int64_t kShownRows = 8;
inline constexpr std::int64_t kShownColumns = 8;

/// "n = 2, d_k = 1": the sizes that the named dimensions of the shown inputs have.
[[nodiscard]] std::string dimensions_text(const Case& test_case);

/// The shown inputs: "Q = 1 0" with further rows below, one block beside the other.
[[nodiscard]] std::vector<std::string> inputs_text(const std::vector<Input>& inputs,
                                                   std::size_t indent);

/// On one line: "[0.5 0.5]", "[1 0; 0 1]" for a matrix of two rows, "{causal: true}".
[[nodiscard]] std::string inline_text(const Value& value);

/// A record of scalars only, which is shown on one line.
[[nodiscard]] bool is_flat_record(const Value& value);

}  // namespace grader
