// Line plots as scalable drawings.
#pragma once

#include "grader/assignment/figure.hpp"
#include "grader/report/html/data.hpp"

namespace grader::html {

/// Axes, ticks, lines and markers of a figure of lines, in units of a 640 × 320 drawing, and its
/// numbers as a table for those who do not see it.
[[nodiscard]] Data plot(const Figure& figure);

}  // namespace grader::html
