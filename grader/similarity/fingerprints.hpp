// Fingerprints of a sequence of tokens by winnowing (S. Schleimer, D. S. Wilkerson, A. Aiken,
// "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/similarity/tokens.hpp"

namespace grader {

/// The paper's noise threshold k: what two texts share in fewer tokens than this is never noticed.
/// About three statements; a shorter run of "name = name ( name )" says nothing.
inline constexpr std::size_t kNoiseThreshold = 24;
/// The paper's guarantee threshold t: what two texts share in at least so many tokens is always
/// noticed.
inline constexpr std::size_t kGuaranteeThreshold = 32;
/// The paper's window w: of so many neighbouring hashes at least one is a fingerprint.
inline constexpr std::size_t kWindow = kGuaranteeThreshold - kNoiseThreshold + 1;

struct Fingerprint {
  std::uint64_t hash = 0;      ///< of kNoiseThreshold tokens
  std::uint32_t position = 0;  ///< of the first of them
};

/// The fingerprints of `tokens` in the order of their positions. The same tokens give the same
/// fingerprints, in every run and on every machine. A text of fewer than kNoiseThreshold tokens has
/// none.
[[nodiscard]] std::vector<Fingerprint> fingerprints_of(const std::vector<Token>& tokens);

/// The hash of every run of kNoiseThreshold tokens, in order: what fingerprints are chosen from.
[[nodiscard]] std::vector<std::uint64_t> run_hashes_of(const std::vector<Token>& tokens);

}  // namespace grader
