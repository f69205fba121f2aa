// Made-up classes, for the tests of what counts and shows them.
#pragma once

#include <cstddef>

#include "grader/class_report/class_results.hpp"

namespace grader::examples {

/// A class of that size in which there is some of everything: every status, penalties, overrides,
/// misconceptions, similar submissions. The same size gives the same class.
ClassResults class_of(std::size_t students);
/// Names and texts that try to break out of a page, a script, a terminal or a spreadsheet.
ClassResults hostile_class();

}  // namespace grader::examples
