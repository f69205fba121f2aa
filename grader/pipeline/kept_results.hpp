// Scorecards of earlier runs, so that grading the same bytes in the same way again takes no time.
//
// Kept in the cache directory of the user, never beside a submission: there, whoever hands in could
// put a scorecard of his own. The key is a digest of everything that decides a scorecard, this
// build of the grader and the highest level of isolation allowed included.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/intake/submission.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

class KeptResults {
 public:
  /// Without a cache directory that can be trusted, nothing is kept and nothing found.
  KeptResults();

  /// What names the result of grading `submission` with a `configuration` (Scorecard's, which need
  /// not name the toolchain yet), a toolchain of this `stamp`, and at most this level of isolation.
  [[nodiscard]] static std::string key(const Submission& submission,
                                       const std::string& configuration, const std::string& stamp,
                                       const std::string& highest_level);

  /// The kept scorecard, or nothing: also when it was removed meanwhile or cannot be read.
  [[nodiscard]] std::optional<Scorecard> find(const std::string& key) const;

  /// Keeps `scorecard`. A full disk or the like is no fault: the next run grades.
  void keep(const std::string& key, const Scorecard& scorecard) const;

 private:
  std::filesystem::path directory_;  ///< empty: none
};

}  // namespace grader
