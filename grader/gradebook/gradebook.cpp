#include "grader/gradebook/gradebook.hpp"

#include <nlohmann/json.hpp>

#include "grader/base/fault.hpp"
#include "grader/gradebook/database.hpp"
#include "grader/gradebook/rows.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

void bind(SQLite::Statement& statement, int index, const std::optional<double>& value) {
  value ? statement.bind(index, *value) : statement.bind(index);
}
void bind(SQLite::Statement& statement, int index, const std::optional<std::int64_t>& value) {
  value ? statement.bind(index, *value) : statement.bind(index);
}

std::int64_t student_id(SQLite::Database& database, const std::string& key) {
  SQLite::Statement insert(database, "INSERT OR IGNORE INTO students (key) VALUES (?)");
  insert.bind(1, key);
  insert.exec();
  SQLite::Statement find(database, "SELECT id FROM students WHERE key = ?");
  find.bind(1, key);
  find.executeStep();
  return find.getColumn(0).getInt64();
}

std::int64_t submission_id_of(SQLite::Database& database, const SubmissionRecord& submission) {
  const std::int64_t student = student_id(database, submission.student);
  SQLite::Statement put(database, R"sql(
    INSERT INTO submissions (student_id, number, submitted_at, marked_late, origin, lms_ids)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (student_id, number) DO UPDATE SET
      submitted_at = excluded.submitted_at, marked_late = excluded.marked_late,
      origin = excluded.origin, lms_ids = excluded.lms_ids)sql");
  put.bind(1, student);
  put.bind(2, submission.number);
  bind(put, 3, submission.submitted_at);
  put.bind(4, submission.marked_late ? 1 : 0);
  put.bind(5, submission.origin);
  put.bind(6, nlohmann::json(submission.lms_ids)
                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  put.exec();
  SQLite::Statement find(database,
                         "SELECT id FROM submissions WHERE student_id = ? AND number = ?");
  find.bind(1, student);
  find.bind(2, submission.number);
  find.executeStep();
  return find.getColumn(0).getInt64();
}

void bind_grade(SQLite::Statement& put, int first, const GradeRecord& grade) {
  int index = first;
  put.bind(index++, std::string(name_of(grade.status)));
  put.bind(index++, grade.score);
  put.bind(index++, grade.max_score);
  for (const std::string* text :
       {&grade.error, &grade.submission_digest, &grade.assignment_id, &grade.assignment_title,
        &grade.assignment_digest, &grade.grader_version}) {
    put.bind(index++, *text);
  }
  put.bind(index++, std::to_string(grade.seed));  // SQLite's integers are signed
  put.bind(index++, grade.cases);
  put.bind(index++, grade.toolchain);
  put.bind(index, grade.isolation);
}

void put_details(SQLite::Database& database, std::int64_t run, const GradeRecord& grade) {
  SQLite::Statement check(database, "INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t index = 0; index < grade.checks.size(); ++index) {
    const CheckRecord& record = grade.checks[index];
    check.bind(1, run);
    check.bind(2, static_cast<std::int64_t>(index));
    check.bind(3, record.id);
    check.bind(4, record.title);
    check.bind(5, record.objective);
    check.bind(6, std::string(name_of(record.status)));
    check.bind(7, record.points);
    check.bind(8, record.max_points);
    check.bind(9, record.blocked_by);
    check.bind(10, record.message);
    check.exec();
    check.reset();
  }
  SQLite::Statement diagnosis(database, "INSERT INTO diagnoses VALUES (?, ?, ?, ?, ?)");
  for (std::size_t index = 0; index < grade.diagnoses.size(); ++index) {
    const DiagnosisRecord& record = grade.diagnoses[index];
    diagnosis.bind(1, run);
    diagnosis.bind(2, static_cast<std::int64_t>(index));
    diagnosis.bind(3, record.id);
    diagnosis.bind(4, record.title);
    diagnosis.bind(5, record.explanation);
    diagnosis.exec();
    diagnosis.reset();
  }
}

std::string_view name_of(DeliveryState state) {
  switch (state) {
    case DeliveryState::sent: return "sent";
    case DeliveryState::delivered: return "delivered";
    case DeliveryState::failed: return "failed";
  }
  throw InternalFault("no such state of a delivery");
}

DeliveryState delivery_state(const std::string& name) {
  for (const DeliveryState state : {DeliveryState::sent, DeliveryState::delivered}) {
    if (name == name_of(state)) return state;
  }
  return DeliveryState::failed;  // the table admits no other name
}

}  // namespace

Gradebook::Gradebook(const fs::path& file, Access access)
    : database_(std::make_unique<GradebookDatabase>(file, access)) {}
Gradebook::~Gradebook() = default;

void Gradebook::put_student(const StudentRecord& student) {
  database_->in_one_step([&](SQLite::Database& database) {
    SQLite::Statement put(database, R"sql(
      INSERT INTO students (key, name) VALUES (?1, ?2)
      ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE excluded.name <> '')sql");
    put.bind(1, student.key);
    put.bind(2, student.name);
    put.exec();
  });
}

void Gradebook::put_run(const SubmissionRecord& submission, const RunRecord& run) {
  if (run.grade.has_value() == !run.needs_attention.empty()) {
    throw InternalFault("a run has either a grade or a reason why it has none");
  }
  database_->in_one_step([&](SQLite::Database& database) {
    SQLite::Statement forget(database, "DELETE FROM runs WHERE folder = ?");
    forget.bind(1, run.folder);
    forget.exec();
    SQLite::Statement put(database, R"sql(
      INSERT INTO runs (submission_id, number, folder, content, configuration, graded_at,
        needs_attention, status, score, max_score, error, submission_digest, assignment_id,
        assignment_title, assignment_digest, grader_version, seed, cases, toolchain, isolation)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, ''), coalesce(?, ''), coalesce(?, ''),
        coalesce(?, ''), coalesce(?, ''), coalesce(?, ''), coalesce(?, ''), coalesce(?, 0),
        coalesce(?, ''), coalesce(?, '')))sql");
    put.bind(1, submission_id_of(database, submission));
    put.bind(2, run.number);
    put.bind(3, run.folder);
    put.bind(4, run.content);
    put.bind(5, run.configuration);
    put.bind(6, run.graded_at);
    if (!run.needs_attention.empty()) put.bind(7, run.needs_attention);
    if (run.grade) bind_grade(put, 8, *run.grade);
    put.exec();
    if (run.grade) put_details(database, database.getLastInsertRowid(), *run.grade);
  });
}

void Gradebook::forget_run(const std::string& folder) {
  database_->in_one_step([&](SQLite::Database& database) {
    SQLite::Statement forget(database, "DELETE FROM runs WHERE folder = ?");
    forget.bind(1, folder);
    forget.exec();
  });
}

void Gradebook::put_overrides(const std::vector<OverrideRecord>& overrides) {
  database_->in_one_step([&](SQLite::Database& database) {
    database.exec("DELETE FROM overrides");
    SQLite::Statement put(
        database, "INSERT INTO overrides (student, score, reason, made_at) VALUES (?, ?, ?, ?)");
    for (const OverrideRecord& record : overrides) {
      put.bind(1, record.student);
      bind(put, 2, record.score);
      put.bind(3, record.reason);
      put.bind(4, record.made_at);
      put.exec();
      put.reset();
    }
  });
}

void Gradebook::put_delivery(const DeliveryRecord& delivery) {
  // All else can be made again from the results; this cannot, so it waits for the disk.
  database_->with([](SQLite::Database& database) { database.exec("PRAGMA synchronous = FULL"); });
  database_->in_one_step([&](SQLite::Database& database) {
    SQLite::Statement put(database, R"sql(
      INSERT OR REPLACE INTO deliveries
        (student, line_item, digest, timestamp_ms, state, reason, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?))sql");
    put.bind(1, delivery.student);
    put.bind(2, delivery.line_item);
    put.bind(3, delivery.digest);
    put.bind(4, delivery.timestamp_ms);
    put.bind(5, std::string(name_of(delivery.state)));
    put.bind(6, delivery.reason);
    put.bind(7, delivery.changed_at);
    put.exec();
  });
}

std::unique_ptr<Gradebook::Bundle> Gradebook::bundle() { return database_->bundle(); }

std::vector<std::string> Gradebook::run_folders() const {
  return database_->with([](SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT folder FROM runs ORDER BY folder");
    std::vector<std::string> folders;
    while (query.executeStep()) folders.push_back(query.getColumn(0).getString());
    return folders;
  });
}

bool Gradebook::has_grade(const std::string& student, std::int64_t attempt,
                          const std::string& content, const std::string& configuration) const {
  return database_->with([&](SQLite::Database& database) {
    SQLite::Statement query(database, R"sql(
      SELECT r.needs_attention IS NULL AND r.content = ?3 AND r.configuration = ?4 FROM runs r
      JOIN submissions a ON a.id = r.submission_id JOIN students s ON s.id = a.student_id
      WHERE s.key = ?1 AND a.number = ?2 ORDER BY r.number DESC LIMIT 1)sql");
    query.bind(1, student);
    query.bind(2, attempt);
    query.bind(3, content);
    query.bind(4, configuration);
    return query.executeStep() && query.getColumn(0).getInt() == 1;
  });
}

std::optional<std::string> Gradebook::folder_of_grade(const std::string& content,
                                                      const std::string& configuration) const {
  return database_->with([&](SQLite::Database& database) -> std::optional<std::string> {
    SQLite::Statement query(database, R"sql(
      SELECT folder FROM runs WHERE content = ? AND configuration = ? AND needs_attention IS NULL
      ORDER BY id DESC LIMIT 1)sql");
    query.bind(1, content);
    query.bind(2, configuration);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getString();
  });
}

std::vector<StudentRecord> Gradebook::students() const {
  return database_->with([](SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT key, name FROM students ORDER BY key");
    std::vector<StudentRecord> students;
    while (query.executeStep()) {
      students.push_back({query.getColumn(0).getString(), query.getColumn(1).getString()});
    }
    return students;
  });
}

std::vector<Standing> Gradebook::standings() const {
  return database_->with([](SQLite::Database& database) {
    // Each submission with its newest grade, and with the reason of a run after that.
    SQLite::Statement query(database,
                            "SELECT " + run_columns() + ", " + submission_columns() + R"sql(,
        (SELECT needs_attention FROM runs n WHERE n.submission_id = a.id
         ORDER BY n.number DESC LIMIT 1)
      FROM submissions a JOIN students s ON s.id = a.student_id
      LEFT JOIN runs r ON r.submission_id = a.id AND r.number = (
        SELECT max(g.number) FROM runs g
        WHERE g.submission_id = a.id AND g.needs_attention IS NULL)
      ORDER BY s.key, a.number)sql");
    std::vector<Standing> standings;
    while (query.executeStep()) {
      Standing standing;
      standing.submission = submission_in(query, kRunColumns);
      if (!query.getColumn(0).isNull()) standing.graded = run_in(database, query);
      standing.needs_attention = query.getColumn(kRunColumns + kSubmissionColumns).getString();
      standings.push_back(std::move(standing));
    }
    return standings;
  });
}

std::vector<RunRecord> Gradebook::runs(const std::string& student, std::int64_t attempt) const {
  return database_->with([&](SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT " + run_columns() + R"sql(
      FROM runs r JOIN submissions a ON a.id = r.submission_id
      JOIN students s ON s.id = a.student_id
      WHERE s.key = ? AND a.number = ? ORDER BY r.number)sql");
    query.bind(1, student);
    query.bind(2, attempt);
    std::vector<RunRecord> runs;
    while (query.executeStep()) runs.push_back(run_in(database, query));
    return runs;
  });
}

std::vector<OverrideRecord> Gradebook::overrides() const {
  return database_->with([](SQLite::Database& database) {
    SQLite::Statement query(database,
                            "SELECT student, score, reason, made_at FROM overrides ORDER BY id");
    std::vector<OverrideRecord> overrides;
    while (query.executeStep()) {
      OverrideRecord record;
      record.student = query.getColumn(0).getString();
      if (!query.getColumn(1).isNull()) record.score = query.getColumn(1).getDouble();
      record.reason = query.getColumn(2).getString();
      record.made_at = query.getColumn(3).getInt64();
      overrides.push_back(std::move(record));
    }
    return overrides;
  });
}

std::optional<DeliveryRecord> Gradebook::delivery(const std::string& student,
                                                  const std::string& line_item) const {
  return database_->with([&](SQLite::Database& database) -> std::optional<DeliveryRecord> {
    SQLite::Statement query(database, R"sql(
      SELECT digest, timestamp_ms, state, reason, changed_at FROM deliveries
      WHERE student = ? AND line_item = ?)sql");
    query.bind(1, student);
    query.bind(2, line_item);
    if (!query.executeStep()) return std::nullopt;
    DeliveryRecord record;
    record.student = student;
    record.line_item = line_item;
    record.digest = query.getColumn(0).getString();
    record.timestamp_ms = query.getColumn(1).getInt64();
    record.state = delivery_state(query.getColumn(2).getString());
    record.reason = query.getColumn(3).getString();
    record.changed_at = query.getColumn(4).getInt64();
    return record;
  });
}

}  // namespace grader
