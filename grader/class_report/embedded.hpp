// The class page's templates, style and script, carried inside the program.
#pragma once

#include <string_view>

namespace grader::class_report {

extern const std::string_view kTemplate;
extern const std::string_view kPairTemplate;
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace grader::class_report
