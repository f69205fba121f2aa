#include "grader/gradebook/gradebook.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/gradebook/schema.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using Access = Gradebook::Access;

class GradebookTest : public testing::Test {
 protected:
  static SubmissionRecord submission(const std::string& student, std::int64_t number = 1) {
    SubmissionRecord record;
    record.student = student;
    record.number = number;
    record.submitted_at = 1'700'000'000;
    record.marked_late = true;
    record.origin = "canvas.zip";
    record.lms_ids = {{"canvas_user", "123"}};
    return record;
  }
  static RunRecord graded(const std::string& folder, const Scorecard& scorecard,
                          std::int64_t number = 1) {
    RunRecord run;
    run.number = number;
    run.folder = folder;
    run.content = "content";
    run.configuration = "configuration";
    run.graded_at = 1'700'000'100;
    run.grade = grade_record(scorecard);
    return run;
  }
  static RunRecord failed(const std::string& folder, std::int64_t number) {
    RunRecord run = graded(folder, examples::all_right(), number);
    run.grade.reset();
    run.needs_attention = "The disk is full.";
    return run;
  }
  template <class Fault, class Work>
  static std::string sentence_of(const Work& work) {
    try {
      work();
    } catch (const Fault& fault) {
      EXPECT_NE(fault.hint(), "");
      return fault.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }

  const TemporaryDirectory folder_;
  const fs::path file_ = folder_.path() / "gradebook.sqlite";
};

TEST_F(GradebookTest, KeepsWhatItWasTold) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.seed = std::numeric_limits<std::uint64_t>::max();
  {
    Gradebook gradebook(file_, Access::write);
    gradebook.put_student({"ada", "Ada Lovelace"});
    gradebook.put_run(submission("ada"), graded("students/ada/attempt-1/run-1", scorecard));
  }
  const Gradebook gradebook(file_, Access::read);
  ASSERT_EQ(gradebook.students().size(), 1);
  EXPECT_EQ(gradebook.students()[0].name, "Ada Lovelace");
  const std::vector<Standing> standings = gradebook.standings();
  ASSERT_EQ(standings.size(), 1);
  EXPECT_EQ(standings[0].submission.student, "ada");
  EXPECT_EQ(standings[0].submission.submitted_at, 1'700'000'000);
  EXPECT_TRUE(standings[0].submission.marked_late);
  EXPECT_EQ(standings[0].submission.lms_ids.at("canvas_user"), "123");
  EXPECT_EQ(standings[0].needs_attention, "");
  ASSERT_TRUE(standings[0].graded);
  const GradeRecord& grade = *standings[0].graded->grade;
  EXPECT_EQ(grade.score, scorecard.score);
  EXPECT_EQ(grade.seed, scorecard.seed);
  ASSERT_EQ(grade.checks.size(), scorecard.checks.size());
  for (std::size_t index = 0; index < grade.checks.size(); ++index) {
    EXPECT_EQ(grade.checks[index].id, scorecard.checks[index].result.id);
    EXPECT_EQ(grade.checks[index].status, scorecard.checks[index].result.status);
    EXPECT_EQ(grade.checks[index].points, scorecard.checks[index].points);
  }
  ASSERT_EQ(grade.diagnoses.size(), scorecard.diagnosis.size());
}

TEST_F(GradebookTest, KeepsTheHistoryOfASubmission) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_run(submission("ada"), graded("a/run-1", examples::masked_too_late(), 1));
  gradebook.put_run(submission("ada"), graded("a/run-2", examples::all_right(), 2));
  const std::vector<RunRecord> runs = gradebook.runs("ada", 1);
  ASSERT_EQ(runs.size(), 2);
  EXPECT_EQ(runs[0].folder, "a/run-1");
  EXPECT_EQ(gradebook.standings()[0].graded->number, 2);
  gradebook.forget_run("a/run-2");
  EXPECT_EQ(gradebook.standings()[0].graded->number, 1);
}

TEST_F(GradebookTest, AFailedRunNeitherIsAGradeNorReplacesOne) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_run(submission("ada"), failed("a/run-1", 1));
  EXPECT_FALSE(gradebook.has_grade("ada", 1, "content", "configuration"));
  EXPECT_FALSE(gradebook.folder_of_grade("content", "configuration"));
  EXPECT_FALSE(gradebook.standings()[0].graded) << "no score at all, never zero";
  EXPECT_EQ(gradebook.standings()[0].needs_attention, "The disk is full.");

  gradebook.put_run(submission("ada"), graded("a/run-2", examples::masked_too_late(), 2));
  EXPECT_EQ(gradebook.standings()[0].needs_attention, "");
  gradebook.put_run(submission("ada"), failed("a/run-3", 3));
  const Standing standing = gradebook.standings()[0];
  ASSERT_TRUE(standing.graded) << "the earlier score stands";
  EXPECT_EQ(standing.graded->folder, "a/run-2");
  EXPECT_EQ(standing.needs_attention, "The disk is full.") << "and is said to be old";
}

TEST_F(GradebookTest, RecognisesWhatIsGraded) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_run(submission("ada"), graded("a/run-1", examples::refused()));
  EXPECT_TRUE(gradebook.has_grade("ada", 1, "content", "configuration"));
  EXPECT_FALSE(gradebook.has_grade("ada", 1, "other content", "configuration"));
  EXPECT_FALSE(gradebook.has_grade("ada", 1, "content", "other configuration"));
  EXPECT_FALSE(gradebook.has_grade("ada", 2, "content", "configuration"));
  EXPECT_FALSE(gradebook.has_grade("bob", 1, "content", "configuration"));
  EXPECT_EQ(gradebook.folder_of_grade("content", "configuration"), "a/run-1");
}

TEST_F(GradebookTest, ARunIsEnteredOnceHoweverOftenItIsSeen) {
  Gradebook gradebook(file_, Access::write);
  for (int time = 0; time < 2; ++time) {
    gradebook.put_run(submission("ada"), graded("a/run-1", examples::faulty()));
  }
  EXPECT_EQ(gradebook.run_folders(), std::vector<std::string>{"a/run-1"});
  EXPECT_EQ(gradebook.standings()[0].graded->grade->checks.size(),
            examples::faulty().checks.size());
}

TEST_F(GradebookTest, WhatIsNotCommittedNeverHappened) {
  Gradebook gradebook(file_, Access::write);
  {
    const auto bundle = gradebook.bundle();
    gradebook.put_run(submission("ada"), graded("a/run-1", examples::all_right()));
  }
  EXPECT_TRUE(gradebook.students().empty());
  {
    const auto bundle = gradebook.bundle();
    gradebook.put_run(submission("ada"), graded("a/run-1", examples::all_right()));
    bundle->commit();
  }
  gradebook.put_run(submission("bob"), graded("b/run-1", examples::all_right()));
  EXPECT_EQ(gradebook.students().size(), 2);
}

TEST_F(GradebookTest, AnEmptyNameLeavesTheKnownOne) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_student({"ada", "Ada"});
  gradebook.put_student({"ada", ""});
  EXPECT_EQ(gradebook.students()[0].name, "Ada");
  gradebook.put_student({"ada", "Ada Lovelace"});
  EXPECT_EQ(gradebook.students()[0].name, "Ada Lovelace");
}

TEST_F(GradebookTest, HoldsNoTextThatIsNotPlain) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_run(submission("ada"), graded("a/run-1", examples::hostile()));
  const std::vector<Standing> standings = gradebook.standings();
  for (const CheckRecord& check : standings[0].graded->grade->checks) {
    for (const std::string& text : {check.title, check.objective, check.message}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  }
}

TEST_F(GradebookTest, KeepsOverridesInTheirOrder) {
  Gradebook gradebook(file_, Access::write);
  gradebook.put_overrides({{"ada", 80, "viva", 1}, {"ada", std::nullopt, "withdrawn", 2}});
  gradebook.put_overrides({{"ada", 80, "viva", 1}, {"ada", std::nullopt, "withdrawn", 2}});
  const std::vector<OverrideRecord> overrides = gradebook.overrides();
  ASSERT_EQ(overrides.size(), 2);
  EXPECT_EQ(overrides[0].score, 80);
  EXPECT_FALSE(overrides[1].score);
  EXPECT_EQ(overrides[1].reason, "withdrawn");
}

TEST_F(GradebookTest, RemembersTheNewestDeliveryOfEachStudentAndLineItem) {
  DeliveryRecord record{
      "ada", "https://e.example/17", "digest-1", 1'796'000'000'123, DeliveryState::sent,
      "",    1'796'000'000};
  {
    Gradebook gradebook(file_, Access::write);
    EXPECT_FALSE(gradebook.delivery("ada", record.line_item));
    gradebook.put_delivery(record);
    record.digest = "digest-2";
    record.state = DeliveryState::failed;
    record.reason = "it answers 422";
    gradebook.put_delivery(record);
    gradebook.put_delivery(
        {"bob", record.line_item, "digest-3", 1, DeliveryState::delivered, "", 2});
  }
  const Gradebook gradebook(file_, Access::read);
  const auto known = gradebook.delivery("ada", record.line_item);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->student, "ada");
  EXPECT_EQ(known->line_item, record.line_item);
  EXPECT_EQ(known->digest, "digest-2");
  EXPECT_EQ(known->timestamp_ms, 1'796'000'000'123);
  EXPECT_EQ(known->state, DeliveryState::failed);
  EXPECT_EQ(known->reason, "it answers 422");
  EXPECT_EQ(known->changed_at, 1'796'000'000);
  EXPECT_EQ(gradebook.delivery("bob", record.line_item)->state, DeliveryState::delivered);
  EXPECT_FALSE(gradebook.delivery("ada", "https://e.example/18"));
}

TEST_F(GradebookTest, OpensAnOlderOneAndKeepsWhatIsInIt) {
  {
    SQLite::Database first(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    first.exec(std::string(gradebook_migrations().front()));
    first.exec("PRAGMA user_version = 1");
    first.exec("INSERT INTO students (key, name) VALUES ('ada', 'Ada Lovelace')");
  }
  const std::string sentence =
      sentence_of<UsageFault>([&] { const Gradebook reader(file_, Access::read); });
  EXPECT_NE(sentence.find("an earlier version"), std::string::npos) << sentence;
  {
    Gradebook gradebook(file_, Access::write);
    EXPECT_EQ(gradebook.students()[0].name, "Ada Lovelace");
    gradebook.put_overrides({{"ada", 80, "viva", 1}});
  }
  EXPECT_EQ(Gradebook(file_, Access::read).overrides().size(), 1);
}

TEST_F(GradebookTest, RefusesANewerOne) {
  {
    SQLite::Database later(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    later.exec("PRAGMA user_version = 1000");
  }
  for (const Access access : {Access::read, Access::write}) {
    const std::string sentence =
        sentence_of<UsageFault>([&] { const Gradebook gradebook(file_, access); });
    EXPECT_NE(sentence.find("a later version"), std::string::npos) << sentence;
  }
}

TEST_F(GradebookTest, RefusesWhatIsNoGradebook) {
  std::ofstream(file_) << std::string(10'000, 'x');
  for (const Access access : {Access::read, Access::write}) {
    const std::string sentence =
        sentence_of<UsageFault>([&] { const Gradebook gradebook(file_, access); });
    EXPECT_NE(sentence.find("is not a gradebook"), std::string::npos) << sentence;
  }
  fs::remove(file_);
  SQLite::Database(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE recipes (name TEXT)");
  EXPECT_NE(sentence_of<UsageFault>([&] { const Gradebook gradebook(file_, Access::write); }), "");
  fs::remove(file_);
  EXPECT_NE(sentence_of<UsageFault>([&] { const Gradebook gradebook(file_, Access::read); }), "");
}

TEST_F(GradebookTest, WhereItCannotBeMadeItIsTheMachinesFault) {
  const fs::path absent = folder_.path() / "absent" / "gradebook.sqlite";
  EXPECT_NE(sentence_of<EnvironmentFault>([&] { const Gradebook book(absent, Access::write); }),
            "");
}

TEST_F(GradebookTest, WhatIsInTheLogAloneIsNeverPassedOver) {
  constexpr uid_t kNobody = 65534;
  Gradebook writer(file_, Access::write);
  writer.put_student({"ada", "Ada"});
  // As a killed program leaves it, in a folder that the reader may not write to.
  const fs::path left = folder_.path() / "left";
  fs::create_directory(left);
  for (const char* part : {"", "-wal"}) {
    fs::copy_file(file_.string() + part, (left / "gradebook.sqlite").string() + part);
  }
  fs::permissions(left, fs::perms(0555));
  fs::permissions(folder_.path(), fs::perms(0755));
  if (geteuid() == 0 && seteuid(kNobody) != 0) GTEST_SKIP() << "no other user here";
  const std::string sentence = sentence_of<UsageFault>(
      [&] { const Gradebook reader(left / "gradebook.sqlite", Access::read); });
  EXPECT_NE(sentence.find("was left unfinished"), std::string::npos) << sentence;
  ASSERT_EQ(seteuid(getuid()), 0);
  fs::permissions(left, fs::perms(0755));
  EXPECT_EQ(Gradebook(left / "gradebook.sqlite", Access::read).students().size(), 1);
}

TEST_F(GradebookTest, CanBeReadWhileItIsWritten) {
  Gradebook writer(file_, Access::write);
  const auto bundle = writer.bundle();
  writer.put_student({"ada", "Ada"});
  const Gradebook reader(file_, Access::read);
  EXPECT_TRUE(reader.students().empty());
  bundle->commit();
  EXPECT_EQ(reader.students().size(), 1);
}

}  // namespace
}  // namespace grader
