// Numbers that are the same everywhere and always, for data that is not drawn anew for a seed.
#pragma once

#include <cstdint>

#include "grader/engine/random.hpp"

namespace attention_assignment {

/// A small stream of random bits (splitmix64).
class FixedRandom final : public grader::Random {
 public:
  explicit FixedRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() override {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace attention_assignment
