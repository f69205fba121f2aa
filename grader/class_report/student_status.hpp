// The words for what became of a student's work.
#pragma once

#include <string_view>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// "not_built": the enumerator's own name, for programs.
[[nodiscard]] std::string_view name_of(StudentStatus status);

/// "does not compile": for people.
[[nodiscard]] std::string_view words_for(StudentStatus status);

}  // namespace grader
