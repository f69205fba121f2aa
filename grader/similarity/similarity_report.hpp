// What a comparison of all submissions of a class found: a list for people to look at. It says how
// much two texts share, never why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

/// Lines of one file of a submission, counted from 1, both ends included.
struct Passage {
  std::string file;
  std::int64_t first_line = 0;
  std::int64_t last_line = 0;
};

/// Two submissions with much in common. `a` < `b` are positions in the list that was compared.
struct SimilarPair {
  std::size_t a = 0;
  std::size_t b = 0;
  /// Of the fingerprints of the one that has fewer, the share that the other has too, 0 to 1.
  /// Names, values, comments and layout do not count, nor does what the template or most of the
  /// class has.
  double share = 0;
  std::int64_t matching_lines = 0;  ///< lines of `a` that the common fingerprints cover
  Passage longest_in_a;             ///< the longest passage in common
  Passage longest_in_b;
};

struct SimilarityReport {
  /// Submissions that are the same byte for byte, as positions in the list that was compared; each
  /// group has at least two. The first of a group stands for it in `pairs`.
  std::vector<std::vector<std::size_t>> identical;
  /// The most similar first; never within a group of identical ones.
  std::vector<SimilarPair> pairs;
  std::size_t pairs_left_out = 0;  ///< pairs beyond the longest list that is kept
};

}  // namespace grader
