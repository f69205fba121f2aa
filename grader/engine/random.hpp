// The random numbers that generators draw. Everything is built from integers, so that the same
// seed gives the same cases with every compiler and optimisation level.
#pragma once

#include <cstdint>
#include <span>

namespace grader {

/// A stream of random bits (seeded by RapidCheck's generator in the grader).
class Random {
 public:
  virtual ~Random() = default;

  /// 64 uniform bits.
  virtual std::uint64_t bits() = 0;
  /// The next `words` of bits() at once, for streams that are faster at many than at one.
  virtual void fill_bits(std::span<std::uint64_t> words);

  /// Uniform integer in [low, high]; low <= high.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// True with probability numerator / denominator.
  bool chance(std::uint64_t numerator, std::uint64_t denominator);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Mean 0, variance 1, nearly Gaussian, within ±6: the sum of twelve uniforms less six.
  double normal();
};

}  // namespace grader
