#include "grader/engine/simplicity.hpp"

#include <cmath>
#include <cstdlib>

namespace grader {
namespace {

constexpr double kSmall = 16;           // integers up to here differ in cost one by one
constexpr std::uint64_t kInteger = 64;  // beyond small: by digits that are not 0, then magnitude
constexpr std::uint64_t kDigit = 16;
constexpr std::uint64_t kEighths = 4096;  // small multiples of 1/8
constexpr std::uint64_t kOther = 8192;
constexpr std::uint64_t kNotFinite = 65536;

/// The digits of a positive integer without the zeros at its end: 1 for 2000, 4 for 1734.
std::uint64_t significant_digits(double integer) {
  constexpr std::uint64_t kMostDigits = 17;
  if (integer >= 0x1p63) return kMostDigits;
  auto rest = static_cast<std::uint64_t>(integer);
  while (rest % 10 == 0) rest /= 10;
  std::uint64_t digits = 0;
  for (; rest > 0; rest /= 10) ++digits;
  return digits;
}

void add(CaseCost& cost, const std::vector<double>& entries) {
  cost.entries += entries.size();
  for (const double entry : entries) cost.numbers += cost_of(entry);
}

}  // namespace

std::uint64_t cost_of(double number) {
  if (!std::isfinite(number)) return kNotFinite;
  const double size = std::fabs(number);
  const std::uint64_t sign = std::signbit(number) ? 1 : 0;
  if (size == 0) return 2 * sign;
  if (size == std::trunc(size)) {
    if (size <= kSmall) return 2 * static_cast<std::uint64_t>(size) - 1 + sign;
    return kInteger + kDigit * (significant_digits(size) - 1) +
           2 * static_cast<std::uint64_t>(std::ilogb(size)) + sign;
  }
  const double eighths = size * 8;
  if (size <= kSmall && eighths == std::trunc(eighths)) {
    return kEighths + 2 * static_cast<std::uint64_t>(eighths) + sign;
  }
  // A power of two is easier to read than its neighbours of the same magnitude.
  const auto exponent = static_cast<std::uint64_t>(std::abs(std::ilogb(size)));
  const std::uint64_t mantissa = std::scalbn(size, -std::ilogb(size)) == 1 ? 0 : 2;
  return kOther + 4 * exponent + mantissa + sign;
}

std::uint64_t cost_of(std::int64_t integer) {
  if (integer == 0) return 0;
  const std::uint64_t sign = integer < 0 ? 1 : 0;
  const auto bits = static_cast<std::uint64_t>(integer);
  const std::uint64_t size = sign != 0 ? 0 - bits : bits;
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40U;  // sums of costs must not overflow
  return 2 * (size < kLargest ? size : kLargest) - 1 + sign;
}

CaseCost cost_of(const Case& test_case) {
  CaseCost cost;
  for (const Input& input : test_case.inputs) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      add(cost, matrix->entries);
    } else if (const auto* row = std::get_if<RowVector>(&input.value)) {
      add(cost, row->entries);
    } else if (const auto* number = std::get_if<double>(&input.value)) {
      ++cost.entries;
      cost.numbers += cost_of(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&input.value)) {
      cost.discrete += cost_of(*integer);
    } else if (const auto* boolean = std::get_if<bool>(&input.value)) {
      cost.discrete += *boolean ? 0U : 1U;
    }
  }
  return cost;
}

}  // namespace grader
