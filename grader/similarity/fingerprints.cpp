#include "grader/similarity/fingerprints.hpp"

#include <algorithm>

namespace grader {
namespace {

// Spreads a polynomial hash over all 64 bits, so that the smallest of a window is a fair draw
// (the finaliser of SplitMix64).
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

}  // namespace

// Each hash from the one before it.
std::vector<std::uint64_t> run_hashes_of(const std::vector<Token>& tokens) {
  constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;  // odd, far from small powers
  if (tokens.size() < kNoiseThreshold) return {};
  std::uint64_t leaving = 1;  // kBase to the power of kNoiseThreshold
  for (std::size_t power = 0; power < kNoiseThreshold; ++power) leaving *= kBase;
  std::vector<std::uint64_t> hashes;
  hashes.reserve(tokens.size() - kNoiseThreshold + 1);
  std::uint64_t rolling = 0;
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    rolling = rolling * kBase + tokens[place].code + 1U;
    if (place >= kNoiseThreshold) {
      rolling -= leaving * (tokens[place - kNoiseThreshold].code + 1U);
    }
    if (place + 1 >= kNoiseThreshold) hashes.push_back(spread(rolling));
  }
  return hashes;
}

// Robust winnowing: of each window the smallest hash; among equal ones the one that the window
// before has chosen, else the rightmost.
std::vector<Fingerprint> fingerprints_of(const std::vector<Token>& tokens) {
  const std::vector<std::uint64_t> hashes = run_hashes_of(tokens);
  std::vector<Fingerprint> chosen;
  if (hashes.empty()) return chosen;
  const std::size_t width = std::min(kWindow, hashes.size());
  for (std::size_t begin = 0; begin + width <= hashes.size(); ++begin) {
    const auto from = hashes.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = from + static_cast<std::ptrdiff_t>(width);
    const std::uint64_t smallest = *std::min_element(from, to);
    const bool is_kept =
        !chosen.empty() && chosen.back().position >= begin && chosen.back().hash == smallest;
    if (is_kept) continue;
    std::size_t place = begin + width - 1;
    while (hashes[place] != smallest) --place;
    chosen.push_back({smallest, static_cast<std::uint32_t>(place)});
  }
  return chosen;
}

}  // namespace grader
