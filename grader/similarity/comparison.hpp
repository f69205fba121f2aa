// Which submissions of a class have much in common: all pairs, through an index of fingerprints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/similarity/fingerprints.hpp"
#include "grader/similarity/similarity_report.hpp"

namespace grader {

/// A file of a submission.
struct SourceText {
  std::string name;
  std::string text;
};

/// A fingerprint that more than this share of the submissions has is the exercise's, not
/// anybody's.
inline constexpr double kCommonShare = 0.25;
/// So many may have it in any case: in a small class a share says little.
inline constexpr std::size_t kFewestForCommon = 10;
/// Pairs that share less are not listed: submissions written apart by one person share up to 0.45.
inline constexpr double kLeastShare = 0.5;
/// Nor are pairs with fewer fingerprints in common: some 60 tokens.
inline constexpr std::size_t kFewestInCommon = 12;
/// The longest list that is kept.
inline constexpr std::size_t kMostPairs = 500;
/// Tokens of one submission that are compared; no honest one is as long.
inline constexpr std::size_t kMostTokens = 50'000;

/// One fingerprint of a submission and where its tokens stand.
struct FingerprintPlace {
  std::uint64_t hash = 0;
  std::uint32_t position = 0;
  std::uint32_t file = 0;
  std::int32_t first_line = 0;
  std::int32_t last_line = 0;
};

/// What is kept of a submission.
struct ComparedDocument {
  std::vector<std::string> files;
  std::vector<FingerprintPlace> places;  ///< one for each hash, sorted by hash
};

/// Takes the submissions of a class one by one and keeps only their fingerprints.
class SubmissionComparison {
 public:
  /// `template_files`: what everybody was given. What it has does not count.
  explicit SubmissionComparison(const std::vector<SourceText>& template_files);

  /// Adds the next submission; without files it is like no other. The order of files is part of
  /// what "identical" means: hand them over sorted by name.
  void add(const std::vector<SourceText>& files);

  /// What was found. The positions in it count the calls of `add` from 0.
  [[nodiscard]] SimilarityReport report() const;

 private:
  std::unordered_set<std::uint64_t> template_hashes_;
  std::vector<ComparedDocument> documents_;
  std::vector<std::size_t> leaders_;                  // those that are no copies of an earlier one
  std::vector<std::vector<std::size_t>> same_bytes_;  // documents by their bytes
  std::unordered_map<std::string, std::size_t> groups_;  // digest → place in same_bytes_
};

}  // namespace grader
