#include "grader/gradebook/rows.hpp"

#include <sqlite3.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "grader/base/json.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

template <class E>
E enumerator(const std::string& name) {
  const std::optional<E> value = named<E>(name);
  if (!value) throw SQLite::Exception("unknown word " + name, SQLITE_CORRUPT);
  return *value;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  return seed;
}

std::vector<CheckRecord> checks_of(SQLite::Database& database, std::int64_t run) {
  SQLite::Statement query(database, R"sql(
    SELECT check_id, title, objective, status, points, max_points, blocked_by, message
    FROM checks WHERE run_id = ? ORDER BY position)sql");
  query.bind(1, run);
  std::vector<CheckRecord> checks;
  while (query.executeStep()) {
    checks.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(),
                      query.getColumn(2).getString(),
                      enumerator<CheckStatus>(query.getColumn(3).getString()),
                      query.getColumn(4).getDouble(), query.getColumn(5).getDouble(),
                      query.getColumn(6).getString(), query.getColumn(7).getString()});
  }
  return checks;
}

std::vector<DiagnosisRecord> diagnoses_of(SQLite::Database& database, std::int64_t run) {
  SQLite::Statement query(database,
                          "SELECT mistake, title, explanation FROM diagnoses WHERE run_id = ? "
                          "ORDER BY position");
  query.bind(1, run);
  std::vector<DiagnosisRecord> diagnoses;
  while (query.executeStep()) {
    diagnoses.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(),
                         query.getColumn(2).getString()});
  }
  return diagnoses;
}

}  // namespace

std::string run_columns() {
  return "r.id, r.number, r.folder, r.content, r.configuration, r.graded_at, r.needs_attention, "
         "r.status, r.score, r.max_score, r.error, r.submission_digest, r.assignment_id, "
         "r.assignment_title, r.assignment_digest, r.grader_version, r.seed, r.cases, "
         "r.toolchain, r.isolation";
}

std::string submission_columns() {
  return "s.key, a.number, a.submitted_at, a.marked_late, a.origin, a.lms_ids";
}

RunRecord run_in(SQLite::Database& database, SQLite::Statement& row) {
  const auto text = [&](int column) { return row.getColumn(column).getString(); };
  RunRecord run;
  run.number = row.getColumn(1).getInt64();
  run.folder = text(2);
  run.content = text(3);
  run.configuration = text(4);
  run.graded_at = row.getColumn(5).getInt64();
  run.needs_attention = text(6);
  if (row.getColumn(8).isNull()) return run;
  GradeRecord grade;
  grade.status = enumerator<ScorecardStatus>(text(7));
  grade.score = row.getColumn(8).getDouble();
  grade.max_score = row.getColumn(9).getDouble();
  grade.error = text(10);
  grade.submission_digest = text(11);
  grade.assignment_id = text(12);
  grade.assignment_title = text(13);
  grade.assignment_digest = text(14);
  grade.grader_version = text(15);
  grade.seed = seed_of(text(16));
  grade.cases = row.getColumn(17).getInt64();
  grade.toolchain = text(18);
  grade.isolation = text(19);
  const std::int64_t id = row.getColumn(0).getInt64();
  grade.checks = checks_of(database, id);
  grade.diagnoses = diagnoses_of(database, id);
  run.grade = std::move(grade);
  return run;
}

SubmissionRecord submission_in(SQLite::Statement& row, int first) {
  SubmissionRecord submission;
  submission.student = row.getColumn(first).getString();
  submission.number = row.getColumn(first + 1).getInt64();
  if (!row.getColumn(first + 2).isNull()) {
    submission.submitted_at = row.getColumn(first + 2).getInt64();
  }
  submission.marked_late = row.getColumn(first + 3).getInt() != 0;
  submission.origin = row.getColumn(first + 4).getString();
  const auto ids = parsed_json(row.getColumn(first + 5).getString());
  if (ids.is_object()) {
    for (const auto& [name, value] : ids.items()) {
      if (value.is_string()) submission.lms_ids[name] = value.get<std::string>();
    }
  }
  return submission;
}

}  // namespace grader
