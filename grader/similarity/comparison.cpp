#include "grader/similarity/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "grader/base/digest.hpp"
#include "grader/similarity/tokens.hpp"

namespace grader {
namespace {

using Places = std::vector<FingerprintPlace>;

// The places of all fingerprints, the first of each hash, sorted by hash.
Places places_of(const std::vector<SourceText>& files) {
  Places places;
  std::size_t left = kMostTokens;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const std::vector<Token> tokens = tokens_of(files[file].text, left);
    left -= tokens.size();
    for (const Fingerprint& each : fingerprints_of(tokens)) {
      places.push_back({each.hash, each.position, static_cast<std::uint32_t>(file),
                        tokens[each.position].line,
                        tokens[each.position + kNoiseThreshold - 1].line});
    }
  }
  const auto by_hash = [](const FingerprintPlace& a, const FingerprintPlace& b) {
    return a.hash < b.hash;
  };
  const auto is_same = [](const FingerprintPlace& a, const FingerprintPlace& b) {
    return a.hash == b.hash;
  };
  std::stable_sort(places.begin(), places.end(), by_hash);
  places.erase(std::unique(places.begin(), places.end(), is_same), places.end());
  return places;
}

struct Candidate {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t in_common = 0;
  double share = 0;
};

// Finds the pairs with the help of an index from fingerprints to documents.
class PairSearch {
 public:
  PairSearch(const std::vector<ComparedDocument>& documents,
             const std::vector<std::size_t>& compared)
      : documents_(documents),
        compared_(compared),
        counted_(documents.size(), 0),
        shared_by_(documents.size()) {
    index_fingerprints();
  }

  // Every pair that is to be listed, the most similar first.
  [[nodiscard]] std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    std::vector<std::uint32_t> in_common(documents_.size(), 0);
    for (const std::size_t a : compared_) {
      std::fill(in_common.begin(), in_common.end(), 0U);
      for (const std::size_t list : shared_by_[a]) {
        for (const std::uint32_t b : lists_[list]) ++in_common[b];
      }
      for (std::size_t b = a + 1; b < documents_.size(); ++b) {
        if (in_common[b] < kFewestInCommon) continue;
        const double share = static_cast<double>(in_common[b]) /
                             static_cast<double>(std::min(counted_[a], counted_[b]));
        if (!(share >= kLeastShare)) continue;
        found.push_back(
            {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), in_common[b], share});
      }
    }
    std::sort(found.begin(), found.end(), [](const Candidate& left, const Candidate& right) {
      if (left.share != right.share) return left.share > right.share;
      if (left.in_common != right.in_common) return left.in_common > right.in_common;
      return std::pair(left.a, left.b) < std::pair(right.a, right.b);
    });
    return found;
  }

  [[nodiscard]] bool is_common(std::uint64_t hash) const { return common_.contains(hash); }

 private:
  void index_fingerprints() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
    for (const std::size_t document : compared_) {
      for (const FingerprintPlace& place : documents_[document].places) {
        all.emplace_back(place.hash, static_cast<std::uint32_t>(document));
      }
    }
    std::sort(all.begin(), all.end());
    const double share_of_class = kCommonShare * static_cast<double>(compared_.size());
    const std::size_t most =
        std::max(kFewestForCommon, static_cast<std::size_t>(std::floor(share_of_class)));
    for (auto from = all.begin(); from != all.end();) {
      const auto to = std::find_if(from, all.end(),
                                   [&](const auto& entry) { return entry.first != from->first; });
      add_list({from, to}, most);
      from = to;
    }
  }

  void add_list(std::span<const std::pair<std::uint64_t, std::uint32_t>> entries,
                std::size_t most) {
    if (entries.size() > most) {
      common_.insert(entries.front().first);
      return;
    }
    for (const auto& [hash, document] : entries) ++counted_[document];
    if (entries.size() < 2) return;
    std::vector<std::uint32_t> list;
    for (const auto& [hash, document] : entries) {
      list.push_back(document);
      shared_by_[document].push_back(lists_.size());
    }
    lists_.push_back(std::move(list));
  }

  const std::vector<ComparedDocument>& documents_;
  const std::vector<std::size_t>& compared_;
  std::vector<std::uint32_t> counted_;               // by document: fingerprints that count
  std::vector<std::vector<std::uint32_t>> lists_;    // documents with the same fingerprint
  std::vector<std::vector<std::size_t>> shared_by_;  // by document: places in lists_
  std::unordered_set<std::uint64_t> common_;         // what much of the class has
};

struct Match {
  const FingerprintPlace* in_a = nullptr;
  const FingerprintPlace* in_b = nullptr;
};

// What both have and the class does not, in the order of `a`.
std::vector<Match> matches_of(const ComparedDocument& a, const ComparedDocument& b,
                              const PairSearch& search) {
  std::vector<Match> matches;
  auto in_b = b.places.begin();
  for (const FingerprintPlace& in_a : a.places) {
    while (in_b != b.places.end() && in_b->hash < in_a.hash) ++in_b;
    if (in_b == b.places.end()) break;
    if (in_b->hash == in_a.hash && !search.is_common(in_a.hash)) {
      matches.push_back({&in_a, &*in_b});
    }
  }
  std::sort(matches.begin(), matches.end(), [](const Match& left, const Match& right) {
    return std::pair(left.in_a->file, left.in_a->position) <
           std::pair(right.in_a->file, right.in_a->position);
  });
  return matches;
}

// True if `next` goes on with the passage that `before` belongs to, in both texts.
bool goes_on(const Match& before, const Match& next) {
  const bool is_same_file =
      before.in_a->file == next.in_a->file && before.in_b->file == next.in_b->file;
  const std::uint32_t step = next.in_a->position - before.in_a->position;
  return is_same_file && step <= kWindow + kNoiseThreshold &&
         before.in_b->position + step == next.in_b->position;
}

Passage passage_of(const ComparedDocument& document, const FingerprintPlace& first,
                   const FingerprintPlace& last) {
  return {document.files[first.file], first.first_line, last.last_line};
}

SimilarPair pair_of(const Candidate& candidate, const std::vector<ComparedDocument>& documents,
                    const PairSearch& search) {
  const ComparedDocument& a = documents[candidate.a];
  const ComparedDocument& b = documents[candidate.b];
  const std::vector<Match> matches = matches_of(a, b, search);
  SimilarPair pair{candidate.a, candidate.b, candidate.share, 0, {}, {}};
  std::uint32_t longest = 0;
  std::int32_t covered = 0;  // the last line of this file that is counted
  std::size_t begin = 0;
  for (std::size_t at = 0; at < matches.size(); ++at) {
    const FingerprintPlace& in_a = *matches[at].in_a;
    if (at > 0 && matches[at - 1].in_a->file != in_a.file) covered = 0;
    pair.matching_lines += std::max(0, in_a.last_line - std::max(in_a.first_line - 1, covered));
    covered = std::max(covered, in_a.last_line);
    if (at > 0 && !goes_on(matches[at - 1], matches[at])) begin = at;
    const std::uint32_t length = in_a.position - matches[begin].in_a->position + 1;
    if (length <= longest) continue;
    longest = length;
    pair.longest_in_a = passage_of(a, *matches[begin].in_a, in_a);
    pair.longest_in_b = passage_of(b, *matches[begin].in_b, *matches[at].in_b);
  }
  return pair;
}

}  // namespace

SubmissionComparison::SubmissionComparison(const std::vector<SourceText>& template_files) {
  // Every run of tokens, not only the fingerprints: beside other text the template's own may fall
  // out of a window.
  for (const SourceText& file : template_files) {
    const std::vector<std::uint64_t> hashes = run_hashes_of(tokens_of(file.text, kMostTokens));
    template_hashes_.insert(hashes.begin(), hashes.end());
  }
}

void SubmissionComparison::add(const std::vector<SourceText>& files) {
  const std::size_t number = documents_.size();
  ComparedDocument& document = documents_.emplace_back();
  if (files.empty()) return;
  Digest digest;
  for (const SourceText& file : files) digest.add(file.name).add(file.text);
  const auto [group, is_new] = groups_.emplace(digest.hex(), same_bytes_.size());
  if (!is_new) {
    same_bytes_[group->second].push_back(number);
    return;
  }
  same_bytes_.push_back({number});
  leaders_.push_back(number);
  document.places = places_of(files);
  std::erase_if(document.places, [&](const FingerprintPlace& place) {
    return template_hashes_.contains(place.hash);
  });
  for (const SourceText& file : files) document.files.push_back(file.name);
}

SimilarityReport SubmissionComparison::report() const {
  SimilarityReport report;
  for (const std::vector<std::size_t>& group : same_bytes_) {
    if (group.size() > 1) report.identical.push_back(group);
  }
  const PairSearch search(documents_, leaders_);
  const std::vector<Candidate> candidates = search.candidates();
  const std::size_t kept = std::min(candidates.size(), kMostPairs);
  report.pairs_left_out = candidates.size() - kept;
  for (std::size_t place = 0; place < kept; ++place) {
    report.pairs.push_back(pair_of(candidates[place], documents_, search));
  }
  return report;
}

}  // namespace grader
