#include "grader/gradebook/schema.hpp"

namespace grader {
namespace {

// Enumerations are stored by name and digests as hexadecimal text, so that the file can be read
// with nothing but sqlite3.
constexpr std::string_view kFirst = R"sql(
CREATE TABLE students (
  id   INTEGER PRIMARY KEY,
  key  TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL DEFAULT ''
);
CREATE TABLE submissions (
  id           INTEGER PRIMARY KEY,
  student_id   INTEGER NOT NULL REFERENCES students(id) ON DELETE CASCADE,
  number       INTEGER NOT NULL,
  submitted_at INTEGER,
  marked_late  INTEGER NOT NULL DEFAULT 0,
  origin       TEXT NOT NULL DEFAULT '',
  lms_ids      TEXT NOT NULL DEFAULT '{}',
  UNIQUE (student_id, number)
);
CREATE TABLE runs (
  id                INTEGER PRIMARY KEY,
  submission_id     INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  number            INTEGER NOT NULL,
  folder            TEXT NOT NULL UNIQUE,
  content           TEXT NOT NULL,
  configuration     TEXT NOT NULL,
  graded_at         INTEGER NOT NULL,
  needs_attention   TEXT,
  status            TEXT,
  score             REAL,
  max_score         REAL,
  error             TEXT NOT NULL DEFAULT '',
  submission_digest TEXT NOT NULL DEFAULT '',
  assignment_id     TEXT NOT NULL DEFAULT '',
  assignment_title  TEXT NOT NULL DEFAULT '',
  assignment_digest TEXT NOT NULL DEFAULT '',
  grader_version    TEXT NOT NULL DEFAULT '',
  seed              TEXT NOT NULL DEFAULT '',
  cases             INTEGER NOT NULL DEFAULT 0,
  toolchain         TEXT NOT NULL DEFAULT '',
  isolation         TEXT NOT NULL DEFAULT '',
  UNIQUE (submission_id, number),
  CHECK ((needs_attention IS NULL) = (score IS NOT NULL))
);
CREATE INDEX runs_by_content ON runs (content, configuration);
CREATE TABLE checks (
  run_id     INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  check_id   TEXT NOT NULL,
  title      TEXT NOT NULL,
  objective  TEXT NOT NULL,
  status     TEXT NOT NULL,
  points     REAL NOT NULL,
  max_points REAL NOT NULL,
  blocked_by TEXT NOT NULL DEFAULT '',
  message    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
CREATE TABLE diagnoses (
  run_id      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  mistake     TEXT NOT NULL,
  title       TEXT NOT NULL,
  explanation TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
CREATE VIEW grades AS
  SELECT s.key AS student, s.name, a.number AS attempt, r.status, r.score, r.max_score, r.folder
  FROM submissions a JOIN students s ON s.id = a.student_id
  JOIN runs r ON r.submission_id = a.id AND r.number = (
    SELECT max(number) FROM runs WHERE submission_id = a.id AND needs_attention IS NULL);
)sql";

// Scores that a person set. The file overrides.jsonl is where they are kept; this is its copy.
constexpr std::string_view kOverrides = R"sql(
CREATE TABLE overrides (
  id      INTEGER PRIMARY KEY,
  student TEXT NOT NULL,
  score   REAL,
  reason  TEXT NOT NULL,
  made_at INTEGER NOT NULL
);
)sql";

// What learning platforms were told. One row a student and column there: the newest score.
constexpr std::string_view kDeliveries = R"sql(
CREATE TABLE deliveries (
  student      TEXT NOT NULL,
  line_item    TEXT NOT NULL,
  digest       TEXT NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('sent', 'delivered', 'failed')),
  reason       TEXT NOT NULL DEFAULT '',
  changed_at   INTEGER NOT NULL,
  PRIMARY KEY (student, line_item)
) WITHOUT ROWID;
)sql";

}  // namespace

const std::vector<std::string_view>& gradebook_migrations() {
  static const std::vector<std::string_view> all = {kFirst, kOverrides, kDeliveries};
  return all;
}

int gradebook_version() { return static_cast<int>(gradebook_migrations().size()); }

}  // namespace grader
