#include "grader/similarity/fingerprints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

namespace grader {
namespace {

std::vector<Token> random_tokens(std::mt19937& random, std::size_t count, unsigned alphabet = 40) {
  std::vector<Token> tokens;
  for (std::size_t place = 0; place < count; ++place) {
    tokens.push_back({static_cast<std::uint8_t>(random() % alphabet), 1});
  }
  return tokens;
}

std::set<std::uint64_t> hashes(const std::vector<Fingerprint>& fingerprints) {
  std::set<std::uint64_t> hashes;
  for (const Fingerprint& each : fingerprints) hashes.insert(each.hash);
  return hashes;
}

bool share_one(const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint64_t hash) { return b.contains(hash); });
}

TEST(FingerprintsTest, SharedRunsOfTheGuaranteedLengthAreAlwaysNoticed) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Token> shared = random_tokens(random, kGuaranteeThreshold);
    std::vector<Token> a = random_tokens(random, random() % 100);
    std::vector<Token> b = random_tokens(random, random() % 100);
    for (std::vector<Token>* text : {&a, &b}) {
      text->insert(text->end(), shared.begin(), shared.end());
      // Often the shared run is the last one.
      const std::vector<Token> rest = random_tokens(random, random() % 2 * (random() % 100));
      text->insert(text->end(), rest.begin(), rest.end());
    }
    ASSERT_TRUE(share_one(hashes(fingerprints_of(a)), hashes(fingerprints_of(b)))) << round;
  }
}

TEST(FingerprintsTest, SharedRunsBelowTheNoiseThresholdAreNeverNoticed) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Token> shared = random_tokens(random, kNoiseThreshold - 1);
    std::vector<Token> a = random_tokens(random, 60);
    std::vector<Token> b = random_tokens(random, 60);
    a.push_back({100, 1});  // so that the run is not longer by chance
    b.push_back({101, 1});
    for (std::vector<Token>* text : {&a, &b}) {
      text->insert(text->end(), shared.begin(), shared.end());
    }
    a.push_back({102, 1});
    b.push_back({103, 1});
    ASSERT_FALSE(share_one(hashes(fingerprints_of(a)), hashes(fingerprints_of(b)))) << round;
  }
}

TEST(FingerprintsTest, HashesAreThoseOfTheRunsThemselves) {
  std::mt19937 random(3);
  const std::vector<Token> tokens = random_tokens(random, 200);
  const std::vector<std::uint64_t> hashes = run_hashes_of(tokens);
  ASSERT_EQ(hashes.size(), tokens.size() - kNoiseThreshold + 1);
  for (std::size_t place = 0; place < hashes.size(); ++place) {
    const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(place);
    const std::vector<Token> run(from, from + kNoiseThreshold);
    EXPECT_EQ(run_hashes_of(run), std::vector<std::uint64_t>{hashes[place]}) << place;
  }
}

TEST(FingerprintsTest, TheSameTokensGiveTheSameFingerprintsEverywhere) {
  std::vector<Token> tokens;
  for (int place = 0; place < 40; ++place) {
    tokens.push_back({static_cast<std::uint8_t>(place * place % 50), 1});
  }
  const std::vector<Fingerprint> fingerprints = fingerprints_of(tokens);
  ASSERT_EQ(fingerprints.size(), 3U);
  EXPECT_EQ(fingerprints[0].position, 1U);
  EXPECT_EQ(fingerprints[0].hash, 2606119036788987005U);
}

TEST(FingerprintsTest, AboutTwoOfAWindowAndOneAreKept) {
  std::mt19937 random(4);
  constexpr std::size_t kCount = 20'000;
  const double kept =
      static_cast<double>(fingerprints_of(random_tokens(random, kCount)).size()) / kCount;
  EXPECT_NEAR(kept, 2.0 / (kWindow + 1), 0.02);
}

TEST(FingerprintsTest, EndlessRepetitionKeepsOneOfAWindow) {
  const std::vector<Token> tokens(10'000, Token{kWordToken, 1});
  EXPECT_LE(fingerprints_of(tokens).size(), 10'000 / kWindow + 1);
}

TEST(FingerprintsTest, ShortTextsHaveNoneOrOne) {
  std::mt19937 random(5);
  EXPECT_TRUE(fingerprints_of({}).empty());
  EXPECT_TRUE(fingerprints_of(random_tokens(random, kNoiseThreshold - 1)).empty());
  EXPECT_EQ(fingerprints_of(random_tokens(random, kNoiseThreshold)).size(), 1U);
  EXPECT_EQ(fingerprints_of(random_tokens(random, kGuaranteeThreshold)).size(), 1U);
}

}  // namespace
}  // namespace grader
