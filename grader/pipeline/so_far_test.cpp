// What a grading hands out before it ends, of real submissions in real boxes.
#include "grader/pipeline/so_far.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/pipeline/grade_submission.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

TEST(UnfinishedTest, HasNoVerdictAndSaysHowFarItGot) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.checks[1].result = CheckResult{};
  const Scorecard shown = unfinished(scorecard, "compiling");
  EXPECT_EQ(shown.status, ScorecardStatus::environment_error);
  EXPECT_TRUE(shown.is_unfinished);
  EXPECT_NE(shown.error.find("while compiling."), std::string::npos) << shown.error;
  EXPECT_EQ(shown.checks[1].result.message, "Not run: grading did not get to it.");
  EXPECT_EQ(shown.checks[4].result.message, scorecard.checks[4].result.message)
      << "it was tried and could not be judged";
  EXPECT_EQ(shown.checks[5].result.message, scorecard.checks[5].result.message);
}

TEST(UnfinishedTest, TellsNoMoreThanItsHintLevel) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.checks[1].result = CheckResult{};
  scorecard.hint_level = HintLevel::score_only;
  const std::string shown = scorecard_to_json(unfinished(scorecard, "compiling"));
  for (const char* secret : {"sums to 0.5", "M02", "\"inputs\"", "Do not clear"}) {
    EXPECT_EQ(shown.find(secret), std::string::npos) << secret;
  }
  EXPECT_NE(shown.find("Not run: grading did not get to it."), std::string::npos);
}

class SoFarTest : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", TEST_CACHE, 1); }

  Scorecard grade(const std::string& submission, const TakeSoFar& take) {
    GradeOptions options;
    options.cases = 20;
    return grade_submission(submission, assignment_, options, workspace_.path(), {}, take);
  }

  const LoadedAssignment assignment_ = load_assignment(TOY);
  const TemporaryDirectory workspace_;
};

TEST_F(SoFarTest, WhatWasFoundOnlyGrowsAndIsTheResultInTheEnd) {
  std::vector<Scorecard> all;
  const Scorecard whole = grade(TOY_SUBMISSIONS "/wrong_answer/forgets_last/mean.cpp",
                                [&](const Scorecard& so_far) { all.push_back(so_far); });
  ASSERT_EQ(whole.status, ScorecardStatus::graded) << whole.error;
  EXPECT_FALSE(whole.is_unfinished);
  ASSERT_GE(all.size(), 6U) << "reading, compiling, the sandbox, each check, figures";
  std::size_t before = 0;
  for (const Scorecard& so_far : all) {
    EXPECT_TRUE(so_far.is_unfinished);
    EXPECT_EQ(so_far.max_score, whole.max_score);
    std::size_t run = 0;
    for (std::size_t index = 0; index < whole.checks.size(); ++index) {
      const CheckResult& result = so_far.checks[index].result;
      if (!was_run(result)) continue;
      ++run;
      EXPECT_EQ(result.status, whole.checks[index].result.status);
      EXPECT_EQ(result.message, whole.checks[index].result.message);
    }
    EXPECT_GE(run, before);
    before = run;
  }
  EXPECT_EQ(before, whole.checks.size());
  EXPECT_EQ(all.back().configuration, whole.configuration);
  EXPECT_EQ(all.back().submission_digest, whole.submission_digest);
}

TEST_F(SoFarTest, AFailureIsHandedOutBeforeTheNextCheckEnds) {
  bool is_told = false;
  grade(TOY_SUBMISSIONS "/wrong_answer/forgets_last/mean.cpp", [&](const Scorecard& so_far) {
    is_told = is_told || (so_far.checks[0].result.status == CheckStatus::failed &&
                          !was_run(so_far.checks[1].result));
  });
  EXPECT_TRUE(is_told);
}

TEST_F(SoFarTest, ASubmissionThatIsNotBuiltHasItsVerdictAllTheSame) {
  const std::filesystem::path file = workspace_.path() / "mean.cpp";
  std::ofstream(file) << "this is no C++\n";
  const TemporaryDirectory other;
  std::size_t taken = 0;
  const Scorecard scorecard =
      grade_submission(file, assignment_, {}, other.path(), {}, [&](const Scorecard&) { ++taken; });
  EXPECT_EQ(scorecard.status, ScorecardStatus::not_built);
  EXPECT_EQ(taken, 2U) << "reading and compiling";
}

TEST_F(SoFarTest, WhoeverCannotTakeItEndsTheGrading) {
  const Scorecard scorecard = grade(
      TOY_SUBMISSIONS "/accepted/loop/mean.cpp",
      [](const Scorecard&) { throw EnvironmentFault("The disk is full.", "Free some space."); });
  EXPECT_EQ(scorecard.status, ScorecardStatus::environment_error);
  EXPECT_EQ(scorecard.error, "The disk is full.");
  EXPECT_FALSE(scorecard.is_unfinished);
}

TEST_F(SoFarTest, BeforeItBeginsNothingWasFound) {
  const Scorecard scorecard = begun(assignment_, {});
  EXPECT_TRUE(scorecard.is_unfinished);
  EXPECT_EQ(scorecard.assignment_id, "toy-mean");
  for (const ScoredCheck& check : scorecard.checks) EXPECT_FALSE(was_run(check.result));
}

}  // namespace
}  // namespace grader
