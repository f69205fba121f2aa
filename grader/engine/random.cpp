#include "grader/engine/random.hpp"

namespace grader {

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? bits() : bits() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

bool Random::chance(std::uint64_t numerator, std::uint64_t denominator) {
  return bits() % denominator < numerator;
}

double Random::unit() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * unit(); }

double Random::normal() {
  constexpr int terms = 12;
  double sum = 0;
  for (int term = 0; term < terms; ++term) sum += unit();
  return sum - terms / 2.0;
}

}  // namespace grader
