#include "grader/report/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace grader {
namespace {

std::string not_finite(double number) {
  if (std::isnan(number)) return "NaN";
  return number > 0 ? "∞" : "−∞";
}

}  // namespace

std::string number_text(double number, int digits) {
  if (!std::isfinite(number)) return not_finite(number);
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.begin(), text.end(), number, std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

std::string exact_number_text(double number) {
  if (!std::isfinite(number)) return not_finite(number);
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), number);
  return {digits.data(), end.ptr};
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace grader
