#include "grader/engine/random.hpp"

#include <array>

namespace grader {
namespace {

/// The upper 53 bits as a number in [0, 1). They fit into a signed integer, which processors
/// convert in one instruction.
double unit_of(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits >> 11U)) * 0x1.0p-53;
}

}  // namespace

void Random::fill_bits(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) word = bits();
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? bits() : bits() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

bool Random::chance(std::uint64_t numerator, std::uint64_t denominator) {
  return bits() % denominator < numerator;
}

double Random::unit() { return unit_of(bits()); }

double Random::uniform(double low, double high) { return low + (high - low) * unit(); }

double Random::normal() {
  std::array<std::uint64_t, 12> words{};
  fill_bits(words);
  double sum = 0;
  for (const std::uint64_t word : words) sum += unit_of(word);
  return sum - static_cast<double>(words.size()) / 2;
}

}  // namespace grader
