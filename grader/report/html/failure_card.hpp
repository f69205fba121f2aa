// One failure as a card of the page.
#pragma once

#include "grader/report/failure.hpp"
#include "grader/report/html/data.hpp"

namespace grader::html {

/// "softmax-row_sums": what links to a check call it.
[[nodiscard]] std::string anchor_of(const std::string& id);

[[nodiscard]] Data failure_card(const Failure& failure);

}  // namespace grader::html
