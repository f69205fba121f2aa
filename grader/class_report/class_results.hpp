// A class's results as the class page and the CSV show them: plain data, filled from the gradebook.
// Texts may hold anything; what shows them makes them safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/engine/check_result.hpp"
#include "grader/similarity/similarity_report.hpp"

namespace grader {

enum class StudentStatus : std::uint8_t {
  graded,
  not_built,        ///< does not compile: a result, with a score
  refused,          ///< intake refused it: a result, with a score
  needs_attention,  ///< not graded because the machine or the grader failed: no score
  missing,          ///< on the roster, nothing handed in: no score unless the policy gives one
  excused,          ///< does not have to hand in: no score
};

/// One check: a column of the table and of the heatmap.
struct CheckColumn {
  std::string id;         ///< "softmax.row_sums"
  std::string title;      ///< "Each row of weights sums to one"
  std::string objective;  ///< its objective's title, "stable softmax"
  double max_points = 0;
};

/// What a student got for one check.
struct CheckCell {
  CheckStatus status = CheckStatus::not_run;
  double points = 0;
};

/// One of several attempts of a student.
struct AttemptResult {
  std::int64_t number = 1;
  StudentStatus status = StudentStatus::graded;
  std::optional<std::int64_t> submitted_at;  ///< Unix seconds
  double late_days = 0;
  std::optional<double> score;        ///< as computed
  std::optional<double> final_score;  ///< after penalties; overrides are of students, not attempts
  std::string report;                 ///< path relative to the class page; or empty
};

/// One student with the attempt that counts.
struct StudentResult {
  std::string id;       ///< the key in the gradebook
  std::string name;     ///< empty when nobody told it
  std::string section;  ///< of the roster, or empty
  std::string email;    ///< of the roster, or empty
  /// What learning platforms call the student, of the roster or the download: Attempt::lms_ids and
  /// Student::lms_ids name them. For exports.
  std::map<std::string, std::string> lms_ids;
  StudentStatus status = StudentStatus::missing;
  std::int64_t attempt = 0;   ///< which attempt counts, from 1; 0 for none
  std::int64_t attempts = 0;  ///< how many were handed in
  /// Those that were graded, where there are several (`best` and `all` grade all within the limit).
  std::vector<AttemptResult> graded_attempts;
  std::optional<std::int64_t> submitted_at;  ///< Unix seconds
  double late_days = 0;                      ///< started days after the due time and its grace
  std::optional<double> score;               ///< as computed by the grader
  std::optional<double> final_score;         ///< after penalties and overrides
  bool is_overridden = false;                ///< a person set the final score
  /// How the final score follows from the computed one and from which attempt, a sentence each.
  std::vector<std::string> adjustments;
  /// In the order of ClassResults::checks; empty when there is no scorecard.
  std::vector<CheckCell> checks;
  std::vector<std::string> diagnoses;  ///< ids of the misconceptions found
  /// Why somebody should look at it, one sentence; empty when nobody has to. Any status may have
  /// it.
  std::string needs_attention;
  std::string digest;  ///< of what was handed in
  std::string report;  ///< path of the student's report, relative to the class page; or empty
};

/// A misconception that somebody in the class has.
struct ClassMisconception {
  std::string id;  ///< "M02"
  std::string title;
  std::string explanation;
};

/// A file of the download that belongs to no submission.
struct LeftOutFile {
  std::string file;
  std::string reason;
};

struct ClassResults {
  std::string assignment_id;
  std::string assignment_title;
  double max_score = 0;
  std::string grader_version;
  std::string configuration;  ///< digest of everything that decides a result
  std::vector<CheckColumn> checks;
  /// Everybody, in the order of the CSV; those without a submission too. Ids are unique.
  std::vector<StudentResult> students;
  /// Titles and texts of the ids in StudentResult::diagnoses. Frequencies are counted by the page.
  std::vector<ClassMisconception> misconceptions;
  /// Positions are those of `students`; empty when nothing was compared.
  SimilarityReport similarity;
  std::vector<LeftOutFile> left_out;
  std::vector<std::string> notices;  ///< about the run as a whole
};

}  // namespace grader
