// Templates, styles and scripts of the pages, carried inside the program.
#pragma once

#include <string_view>

namespace grader::html {

extern const std::string_view kCommonStyle;
extern const std::string_view kCommonScript;
extern const std::string_view kTemplate;
extern const std::string_view kMatrixTemplate;
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace grader::html
