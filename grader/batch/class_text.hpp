// The results of a class as a few lines of text.
#pragma once

#include <string>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// How many were graded, their scores, and everything that somebody has to look at.
std::string class_text(const ClassResults& results);

}  // namespace grader
