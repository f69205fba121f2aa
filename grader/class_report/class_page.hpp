// The class's results as one web page: everything in one file, nothing loaded from anywhere.
#pragma once

#include <string>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// The page. What it counts and lists is there without its script; the script adds the table of
/// students and the strips of the heatmap, drawn from the data in the page. Names and texts of any
/// kind stay text. The same results give the same bytes. Throws InternalFault for results that
/// contradict themselves (summary_of).
[[nodiscard]] std::string class_page(const ClassResults& results);

}  // namespace grader
