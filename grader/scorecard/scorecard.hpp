// The scorecard: everything one grading run found out, before it becomes JSON or a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/assignment/figure.hpp"
#include "grader/assignment/policy.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

inline constexpr int kScorecardVersion = 1;

enum class ScorecardStatus : std::uint8_t {
  graded,
  not_built,          ///< the submission does not compile or link
  refused,            ///< intake refused the submission
  environment_error,  ///< the machine could not grade; no score
  internal_error,     ///< a bug of the grader; no score
};

enum class BuildStatus : std::uint8_t { not_run, built, failed, limit_exceeded };

struct SubmittedFile {
  std::string name;  ///< sanitised
  std::int64_t bytes = 0;
  std::string sha256;
};

struct BuildReport {
  BuildStatus status = BuildStatus::not_run;
  std::string problem;      ///< one sentence when it is not built
  std::string diagnostics;  ///< neutralised, paths scrubbed, cut
  std::string hint;
};

struct Isolation {
  std::string level;                 ///< "L4" … "L0", "none"
  std::vector<std::string> missing;  ///< layers that a higher level would add
};

/// A check's result with its policy texts and points.
struct ScoredCheck {
  CheckResult result;
  std::string title;
  std::string objective;
  double points = 0;
  double max_points = 0;
  std::string hint;
  std::string lesson;
  std::string replay;     ///< the command that shows the counterexample again
  std::string assertion;  ///< for checks on an assertion of the student's: the function judged
};

struct ObjectiveScore {
  std::string id;
  std::string title;
  double points = 0;
  double max_points = 0;
};

struct Scorecard {
  ScorecardStatus status = ScorecardStatus::internal_error;
  /// For refused, environment_error and internal_error: what happened, one sentence, and what to
  /// do.
  std::string error;
  std::string error_hint;
  /// An environment_error of a special kind: grading had not ended when this was written. `checks`
  /// hold what had been found, with points that later checks may still have changed.
  bool is_unfinished = false;

  std::string assignment_id;
  std::string assignment_title;
  std::string assignment_digest;
  std::string submission_id;
  std::string submission_digest;
  std::vector<SubmittedFile> files;

  std::string grader_version;
  std::string configuration;  ///< digest of everything that decides a result
  std::uint64_t seed = 0;     ///< hidden from students under HintLevel::score_only
  std::int64_t cases = 0;
  std::string toolchain;
  HintLevel hint_level = HintLevel::full;  ///< how much of what was found out is told
  Isolation isolation;

  std::vector<std::string> notices;
  BuildReport build;
  double score = 0;
  double max_score = 0;
  std::vector<ObjectiveScore> objectives;
  std::vector<ScoredCheck> checks;
  std::vector<Diagnosis> diagnosis;  ///< what went wrong, by name; empty at full marks
  std::vector<Figure> figures;       ///< what the submission does, drawn by reports
  std::string printed;  ///< what the submission wrote to stdout and stderr, neutralised, cut

  std::map<std::string, double> timing;  ///< seconds by stage; the only part that may differ
};

}  // namespace grader
