// What the class as a whole did: counted from its results.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// Scores from `from` on and below `to`; the last bin holds the full marks too.
struct ScoreBin {
  double from = 0;
  double to = 0;
  std::size_t students = 0;
};

/// How those who have a scorecard fared at one check.
struct CheckSummary {
  std::size_t passed = 0;
  std::size_t not_judged = 0;  ///< it could not be run or judged
  std::size_t students = 0;    ///< with a scorecard
};

struct MisconceptionSummary {
  ClassMisconception misconception;   ///< only its id when ClassResults has no text for it
  std::vector<std::size_t> students;  ///< who has it, positions in ClassResults::students
  std::size_t example =
      0;  ///< whose report shows it best: one with a report and few others beside it
};

struct ClassSummary {
  std::map<StudentStatus, std::size_t> by_status;
  std::vector<std::size_t> need_attention;  ///< positions in ClassResults::students
  /// Of the scores of what was handed in, as they stand after penalties and overrides.
  std::size_t scored = 0;
  std::optional<double> mean;
  std::optional<double> median;
  std::vector<ScoreBin> bins;
  std::vector<CheckSummary> checks;                  ///< in the order of ClassResults::checks
  std::vector<MisconceptionSummary> misconceptions;  ///< the most frequent first, then by id
};

/// The score that counts: the final one, else the computed one, else nothing.
[[nodiscard]] std::optional<double> counting_score(const StudentResult& student);

/// Counts. Throws InternalFault when the results contradict themselves: a student with more or
/// fewer cells than there are checks, a number that is none, a position beyond the class.
[[nodiscard]] ClassSummary summary_of(const ClassResults& results);

}  // namespace grader
