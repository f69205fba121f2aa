// What a report tells about a failure, whatever its format.
#pragma once

#include <string>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// How commands that a report shows are to be typed.
struct CommandOptions {
  /// The program as its user starts it.
  std::string program = "attention-grader";
  /// Where the scorecard was written; empty: nowhere.
  std::string scorecard;
  /// The assignment's folder, when commands have to name it.
  std::string assignment;
};

/// One failure: the checks that fail alike, and what they share.
struct Failure {
  std::vector<const ScoredCheck*> checks;  ///< at least one; the first one's evidence is shown
  std::string message;                     ///< empty when nothing may be told, or lists tell it
  std::string place;  ///< "At attention.cpp, line 42: read of 8 bytes.", or empty
  std::string lesson;
  std::string hint;
  std::string replay;        ///< the command that shows it again, or empty
  bool has_evidence = true;  ///< the first check's inputs belong to all of it
};

/// True for checks that were judged and lost their points.
[[nodiscard]] bool did_fail(const ScoredCheck& check);

/// The failed checks in their order, those together that fail alike: the same message, or
/// exceptions of the same text, whichever functions throw them.
[[nodiscard]] std::vector<Failure> failures_of(const std::vector<ScoredCheck>& checks,
                                               const CommandOptions& options);

/// What there is to tell of one check, failed or not.
[[nodiscard]] Failure failure_of(const ScoredCheck& check, const CommandOptions& options);

/// "smallest input (n = 2, d_k = 1)": what the shown input of a result is. It has one.
[[nodiscard]] std::string input_title(const CheckResult& result);

/// Why a check could not be judged and which one comes first.
[[nodiscard]] std::string why_not_judged(const ScoredCheck& check);

/// " (crashed)", " (timed out)", or nothing.
[[nodiscard]] std::string ending(CheckStatus status);

}  // namespace grader
