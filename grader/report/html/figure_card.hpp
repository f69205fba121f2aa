// One figure of the page.
#pragma once

#include "grader/assignment/figure.hpp"
#include "grader/report/html/data.hpp"

namespace grader::html {

[[nodiscard]] Data figure_card(const Figure& figure);

}  // namespace grader::html
