// Figures as images, for platforms that show pictures but no markup of ours.
#pragma once

#include <string>

#include "grader/assignment/figure.hpp"

namespace grader {

/// An SVG document that stands by itself: the lines of a plot with their names below, or the panels
/// of a heatmap with their numbers, large matrices cut at their corner. Empty for a table.
[[nodiscard]] std::string figure_image(const Figure& figure);

}  // namespace grader
