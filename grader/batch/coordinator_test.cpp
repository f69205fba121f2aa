#include "grader/batch/coordinator.hpp"

#include <fstream>

#include "grader/base/fault.hpp"
#include "grader/batch/batch_fixture.hpp"
#include "grader/batch/overrides.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

class CoordinatorTest : public BatchTest {};

TEST_F(CoordinatorTest, EveryAttemptGetsItsResultUnderItsStudentsName) {
  const BatchOutcome outcome = grade({attempt("ada", "right"), attempt("bob", "wrong")});
  EXPECT_EQ(outcome.progress.done, 2);
  EXPECT_FALSE(outcome.is_interrupted);
  EXPECT_EQ(standing("ada").graded->folder, "students/ada/attempt-1/run-1");
  EXPECT_EQ(standing("bob").graded->grade->score, examples::masked_too_late().score);
  EXPECT_EQ(scorecard("students/bob/attempt-1/run-1").submission_id, "bob");
  EXPECT_TRUE(fs::exists(results_ / "students/ada/attempt-1/run-1/report.html"));
  EXPECT_TRUE(fs::exists(results_ / "students/ada/attempt-1/run-1/submission/attention.cpp"));
}

TEST_F(CoordinatorTest, IdenticalAttemptsAreGradedOnceAndEachHasItsOwnResult) {
  grade({attempt("ada", "wrong"), attempt("bob", "right"), attempt("eve", "wrong")});
  EXPECT_EQ(executor_.started, 2);
  Scorecard first = scorecard("students/ada/attempt-1/run-1");
  const Scorecard second = scorecard("students/eve/attempt-1/run-1");
  EXPECT_EQ(second.submission_id, "eve");
  first.submission_id = "eve";
  EXPECT_EQ(scorecard_to_json(first), scorecard_to_json(second));
  EXPECT_EQ(content_of(attempt("eve", "wrong")),
            read_file(results_ / "students/eve/attempt-1/run-1/submission/attention.cpp", 100));
}

TEST_F(CoordinatorTest, WhatIsFinishedIsNotGradedAgain) {
  const std::vector<Attempt> attempts = {attempt("ada", "right"), attempt("bob", "wrong")};
  grade(attempts);
  const auto before = everything();
  EXPECT_EQ(grade(attempts).progress.total, 0);
  EXPECT_EQ(executor_.started, 0);
  EXPECT_EQ(everything(), before);
}

TEST_F(CoordinatorTest, AnotherStudentsResultServesForTheSameFiles) {
  grade({attempt("ada", "wrong")});
  grade({attempt("ada", "wrong"), attempt("eve", "wrong")});
  EXPECT_EQ(executor_.started, 0);
  EXPECT_EQ(scorecard("students/eve/attempt-1/run-1").submission_id, "eve");
}

TEST_F(CoordinatorTest, GradingAgainKeepsTheEarlierResult) {
  grade({attempt("ada", "wrong")});
  grade({attempt("ada", "right")});
  EXPECT_EQ(standing("ada").graded->folder, "students/ada/attempt-1/run-2");
  EXPECT_EQ(scorecard("students/ada/attempt-1/run-1").score, examples::masked_too_late().score);
  grade({attempt("ada", "right")}, true);
  EXPECT_EQ(standing("ada").graded->number, 3);
}

TEST_F(CoordinatorTest, WhatTheMachineCouldNotDoIsTriedOnceMore) {
  const BatchOutcome outcome = grade({attempt("ada", "recovers")});
  EXPECT_EQ(executor_.started, 2);
  EXPECT_EQ(outcome.progress.needing_attention, 0);
  EXPECT_EQ(standing("ada").graded->number, 1);
}

TEST_F(CoordinatorTest, WhatCannotBeGradedNeedsAttentionAndHasNoScore) {
  const BatchOutcome outcome =
      grade({attempt("ada", "environment"), attempt("bob", "internal"), attempt("cy", "lost"),
             attempt("dan", "damaged"), attempt("eve", "right"), attempt("fay", "changed")});
  EXPECT_EQ(outcome.progress.done, 6);
  EXPECT_EQ(outcome.progress.needing_attention, 5);
  EXPECT_EQ(executor_.started, 8) << "what a second try may help is tried twice";
  for (const char* student : {"ada", "bob", "cy", "dan", "fay"}) {
    EXPECT_FALSE(standing(student).graded) << student << ": never zero";
  }
  EXPECT_EQ(standing("ada").needs_attention, "The disk is full.");
  EXPECT_EQ(standing("cy").needs_attention, "It crashed.");
  EXPECT_TRUE(standing("dan").needs_attention.starts_with("The results cannot be read: "))
      << standing("dan").needs_attention;
  EXPECT_TRUE(standing("eve").graded) << "the rest is graded";
}

TEST_F(CoordinatorTest, WhatNeededAttentionIsGradedByTheNextRun) {
  grade({attempt("ada", "lost"), attempt("eve", "right")});
  grade({attempt("ada", "right"), attempt("eve", "right")});
  EXPECT_EQ(executor_.started, 0) << "eve's result serves";
  EXPECT_EQ(standing("ada").needs_attention, "");
  EXPECT_TRUE(standing("ada").graded);
}

TEST_F(CoordinatorTest, StopsAndGoesOnAsIfNothingHadBeen) {
  const std::vector<Attempt> attempts = {attempt("ada", "wrong"), attempt("bob", "right"),
                                         attempt("cy", "wrong"),  attempt("dan", "refused"),
                                         attempt("eve", "right"), attempt("Eve", "right")};
  grade(attempts);
  const auto undisturbed = everything();
  EXPECT_EQ(undisturbed.size(), 6 * 4 + 1);
  for (std::size_t moment = 0; moment < attempts.size(); ++moment) {
    results_ = place_.path() / ("stopped-" + std::to_string(moment));
    interruption_ = eventfd(moment == 0 ? 1 : 0, EFD_CLOEXEC);
    report_ = [&](const Attempt*, const RunRecord*, const BatchProgress& now) {
      if (now.done == moment) eventfd_write(interruption_, 1);
    };
    const BatchOutcome outcome = grade(attempts);
    close(interruption_);
    EXPECT_EQ(outcome.is_interrupted, moment < attempts.size()) << moment;
    EXPECT_TRUE(executor_.is_stopped);
    interruption_ = -1;
    report_ = {};
    EXPECT_FALSE(grade(attempts).is_interrupted);
    EXPECT_EQ(everything(), undisturbed) << "stopped after " << moment;
  }
}

TEST_F(CoordinatorTest, WhatCannotBeWrittenEndsTheBatchAndCostsNobodyAMark) {
  const std::vector<Attempt> attempts = {attempt("ada", "right"), attempt("bob", "wrong")};
  {
    BatchFolder folder(results_, "causal-attention");
    folder.describe({"causal-attention", "", WhichAttempts::last, {}, {}, {}});
  }
  fs::create_directories(results_ / "students");
  std::ofstream(results_ / "students/bob") << "in the way";
  EXPECT_THROW(grade(attempts), EnvironmentFault);
  EXPECT_TRUE(executor_.is_stopped);
  EXPECT_EQ(standings().size(), 1);
  fs::remove(results_ / "students/bob");
  grade(attempts);
  EXPECT_TRUE(standing("bob").graded);
}

TEST_F(CoordinatorTest, TheGradebookIsMadeAgainFromTheFiles) {
  grade({attempt("ada", "wrong"), attempt("bob", "lost"), attempt("cy", "right")});
  append_override(BatchLayout(results_).overrides(), {"ada", 80, "viva", 5});
  grade({attempt("ada", "right"), attempt("bob", "lost"), attempt("cy", "right")});
  const std::vector<Standing> before = standings();
  for (const char* name : {"gradebook.sqlite", "gradebook.sqlite-wal", "gradebook.sqlite-shm"}) {
    fs::remove(results_ / name);
  }
  Gradebook gradebook(BatchLayout(results_).gradebook(), Gradebook::Access::write);
  EXPECT_EQ(reconcile(BatchLayout(results_), gradebook).entered, 5);
  const std::vector<Standing> after = gradebook.standings();
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t index = 0; index < after.size(); ++index) {
    EXPECT_EQ(after[index].submission.student, before[index].submission.student);
    EXPECT_EQ(after[index].needs_attention, before[index].needs_attention);
    ASSERT_EQ(after[index].graded.has_value(), before[index].graded.has_value());
    if (!after[index].graded) continue;
    EXPECT_EQ(after[index].graded->folder, before[index].graded->folder);
    EXPECT_EQ(after[index].graded->grade->score, before[index].graded->grade->score);
  }
  EXPECT_EQ(gradebook.overrides().at(0).score, 80);
  EXPECT_EQ(gradebook.students().at(0).name, "The name of ada");
}

TEST_F(CoordinatorTest, ARunThatSomebodyRemovedIsGradedAgain) {
  grade({attempt("ada", "right")});
  fs::remove_all(results_ / "students/ada");
  grade({attempt("ada", "right")});
  EXPECT_EQ(executor_.started, 1);
  EXPECT_EQ(standing("ada").graded->number, 1);
}

TEST_F(CoordinatorTest, ADamagedRunIsSaidAndGradedAgain) {
  grade({attempt("ada", "right")});
  std::ofstream(results_ / "students/ada/attempt-1/run-1/scorecard.json") << "{";
  fs::remove(results_ / "gradebook.sqlite");
  {
    Gradebook gradebook(BatchLayout(results_).gradebook(), Gradebook::Access::write);
    const Reconciled reconciled = reconcile(BatchLayout(results_), gradebook);
    ASSERT_EQ(reconciled.damaged.size(), 1);
    EXPECT_TRUE(reconciled.damaged[0].starts_with("students/ada/attempt-1/run-1 is left out: "));
  }
  grade({attempt("ada", "right")});
  EXPECT_EQ(standing("ada").graded->folder, "students/ada/attempt-1/run-2");
}

}  // namespace
}  // namespace grader
