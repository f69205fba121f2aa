// The page's list of submissions that have much in common.
#pragma once

#include "grader/class_report/class_results.hpp"
#include "grader/report/html/data.hpp"

namespace grader::class_report {

/// A student as lists name one: {{name}}, and {{#report}} where there is one to link to.
[[nodiscard]] html::Data student_data(const StudentResult& student);

/// Sets what the template's section on similar submissions uses.
void add_similar(html::Data& page, const ClassResults& results);

}  // namespace grader::class_report
