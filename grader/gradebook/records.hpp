// What the gradebook knows, as plain data. All texts in it are valid, neutralised UTF-8.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/engine/check_result.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// A student: somebody of the roster, or somebody who handed something in.
struct StudentRecord {
  std::string key;  ///< identifies the student in this class
  std::string name;
};

/// One attempt of a student at the assignment.
struct SubmissionRecord {
  std::string student;  ///< StudentRecord::key
  std::int64_t number = 1;
  std::optional<std::int64_t> submitted_at;  ///< Unix seconds
  bool marked_late = false;
  std::string origin;                          ///< where it came from
  std::map<std::string, std::string> lms_ids;  ///< for exports to the platform
};

struct CheckRecord {
  std::string id;
  std::string title;
  std::string objective;  ///< its title
  CheckStatus status = CheckStatus::not_run;
  double points = 0;
  double max_points = 0;
  std::string blocked_by;
  std::string message;
};

struct DiagnosisRecord {
  std::string id;
  std::string title;
  std::string explanation;
};

/// What a finished grading found out.
struct GradeRecord {
  ScorecardStatus status = ScorecardStatus::graded;
  double score = 0;
  double max_score = 0;
  std::string error;              ///< why a submission was refused or not built
  std::string submission_digest;  ///< empty when refused
  std::string assignment_id;
  std::string assignment_title;
  std::string assignment_digest;
  std::string grader_version;
  std::uint64_t seed = 0;
  std::int64_t cases = 0;
  std::string toolchain;
  std::string isolation;  ///< level
  std::vector<CheckRecord> checks;
  std::vector<DiagnosisRecord> diagnoses;
};

/// One grading of one submission. It has a grade, or a reason why it needs attention.
struct RunRecord {
  std::int64_t number = 1;
  std::string folder;           ///< of its files, relative to the results; unique
  std::string content;          ///< digest of what was handed in
  std::string configuration;    ///< digest of everything else that decides the result
  std::int64_t graded_at = 0;   ///< Unix seconds
  std::string needs_attention;  ///< why it could not be graded, one sentence; empty when it was
  std::optional<GradeRecord> grade;
};

/// A score that a person set, and why. Never touched by grading.
struct OverrideRecord {
  std::string student;
  std::optional<double> score;  ///< nothing: an earlier override is withdrawn
  std::string reason;
  std::int64_t made_at = 0;  ///< Unix seconds
};

enum class DeliveryState : std::uint8_t {
  sent,       ///< or about to be: nobody knows whether the platform has it
  delivered,  ///< the platform has said so
  failed,     ///< the platform does not have it
};

/// What became of the newest score that was to go to a learning platform. Kept nowhere else: a
/// gradebook that is made again has forgotten it.
struct DeliveryRecord {
  std::string student;
  std::string line_item;          ///< URL of the platform's column
  std::string digest;             ///< of the score object, whatever its timestamp
  std::int64_t timestamp_ms = 0;  ///< of the score object, Unix milliseconds
  DeliveryState state = DeliveryState::sent;
  std::string reason;           ///< why it failed
  std::int64_t changed_at = 0;  ///< Unix seconds
};

/// A submission with its newest grade and with what happened since.
struct Standing {
  SubmissionRecord submission;
  /// The newest run that has a grade; nothing when no run has.
  std::optional<RunRecord> graded;
  /// Why the newest run has none, or empty.
  std::string needs_attention;
};

/// The part of a scorecard that the gradebook keeps.
GradeRecord grade_record(const Scorecard& scorecard);

}  // namespace grader
