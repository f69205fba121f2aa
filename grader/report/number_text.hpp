// Numbers as people read them.
#pragma once

#include <cstddef>
#include <string>

namespace grader {

/// Significant digits of numbers in tables, and in tables that would be too wide with so many.
inline constexpr int kDigits = 6;
inline constexpr int kFewDigits = 4;

/// At most so many significant digits: "0.333333", "-1e+300", "−∞", "NaN", "-0".
[[nodiscard]] std::string number_text(double number, int digits = kDigits);

/// Every digit that tells the number from its neighbours: "0.30000000000000004".
[[nodiscard]] std::string exact_number_text(double number);

/// "1 case", "2 cases".
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

}  // namespace grader
