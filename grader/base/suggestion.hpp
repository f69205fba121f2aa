// "Did you mean …?" for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// "Did you mean softmax.values? " when one of `known` is close to `name`, else "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace grader
