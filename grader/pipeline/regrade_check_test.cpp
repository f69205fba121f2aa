#include "grader/pipeline/regrade_check.hpp"

#include <gtest/gtest.h>

#include "grader/base/fault.hpp"
#include "grader/pipeline/configuration.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

class RegradeCheckTest : public testing::Test {
 protected:
  RegradeCheckTest() : earlier_{examples::masked_too_late(), {}} {
    const Scorecard& scorecard = earlier_.scorecard;
    assignment_.digest = std::string(64, 'a');
    Policy& policy = assignment_.policy;
    for (const ObjectiveScore& objective : scorecard.objectives) {
      policy.objectives.push_back({objective.id, objective.title, objective.max_points});
    }
    for (const ScoredCheck& check : scorecard.checks) {
      policy.checks.push_back({check.result.id, check.objective, check.title, check.max_points,
                               check.hint, check.lesson});
      if (check.result.status != CheckStatus::passed) failed_ = check.result.id;
    }
    as_graded(earlier_.scorecard);
  }

  /// Makes `scorecard` what grading with the assignment as it is would have given.
  void as_graded(Scorecard& scorecard) const {
    scorecard.assignment_digest = assignment_.digest;
    scorecard.grader_version = grader_version();
    scorecard.toolchain = "g++";
    scorecard.hint_level = options_.hint_level.value_or(assignment_.policy.hint_level);
    scorecard.seed = options_.seed.value_or(assignment_.policy.seed);
    scorecard.cases = options_.cases.value_or(assignment_.policy.cases);
    scorecard.configuration = configuration_digest(assignment_, options_, "g++");
    scorecard.timing.clear();
  }

  [[nodiscard]] Regrading now() const { return {assignment_, options_, "g++"}; }
  [[nodiscard]] std::string obstacle() const {
    return obstacle_to_regrading(earlier_, failed_, now());
  }
  [[nodiscard]] Scorecard regraded(const Scorecard& fresh) const {
    return with_check_of(fresh, earlier_, failed_, now());
  }
  /// The check is graded again, and what comes out is the earlier result of the next time.
  void regrade(const Scorecard& fresh) {
    earlier_ = {regraded(fresh), regraded_after(earlier_, failed_, assignment_)};
  }
  /// Another answer of the check.
  [[nodiscard]] Scorecard passing() const {
    Scorecard fresh = earlier_.scorecard;
    for (ScoredCheck& check : fresh.checks) {
      if (check.result.id != failed_) continue;
      check.result = {};
      check.result.id = failed_;
      check.result.status = CheckStatus::passed;
      check.points = check.max_points;
    }
    return fresh;
  }

  LoadedAssignment assignment_;
  GradeOptions options_;
  EarlierResult earlier_;
  std::string failed_;
};

TEST_F(RegradeCheckTest, WithTheSameAssignmentItIsTheSameScorecard) {
  const Scorecard& scorecard = earlier_.scorecard;
  EXPECT_EQ(obstacle(), "");
  EXPECT_EQ(configuration_after_regrading(earlier_, failed_, now()), scorecard.configuration);
  EXPECT_TRUE(regraded_after(earlier_, failed_, assignment_).empty());
  EXPECT_EQ(scorecard_to_json(regraded(scorecard)), scorecard_to_json(scorecard));
}

TEST_F(RegradeCheckTest, AnotherVersionOfTheAssignmentIsOnRecordUntilTheRestIsOfIt) {
  assignment_.digest = std::string(64, 'b');
  EXPECT_EQ(obstacle(), "") << "what a judge does is not to be seen from outside";
  EXPECT_FALSE(is_regraded(earlier_, failed_, assignment_));
  const EarlierResult original = earlier_;
  regrade(passing());
  const Scorecard& mixed = earlier_.scorecard;
  EXPECT_TRUE(is_regraded(earlier_, failed_, assignment_));
  EXPECT_EQ(mixed.assignment_digest, original.scorecard.assignment_digest);
  EXPECT_EQ(mixed.configuration, configuration_after_regrading(original, failed_, now()));
  EXPECT_NE(mixed.configuration, original.scorecard.configuration);
  EXPECT_NE(mixed.configuration, configuration_digest(assignment_, options_, "g++"));
  EXPECT_GT(mixed.score, original.scorecard.score);
  const std::size_t notices = original.scorecard.notices.size();
  EXPECT_EQ(mixed.notices.size(), notices + 1);
  // Once more, with a third version and then with the first one.
  assignment_.digest = std::string(64, 'c');
  EXPECT_EQ(obstacle(), "");
  regrade(passing());
  EXPECT_EQ(earlier_.scorecard.notices.size(), notices + 1) << "the last one counts";
  assignment_.digest = original.scorecard.assignment_digest;
  EXPECT_EQ(obstacle(), "");
  regrade(original.scorecard);
  EXPECT_EQ(scorecard_to_json(earlier_.scorecard), scorecard_to_json(original.scorecard));
  EXPECT_TRUE(earlier_.regraded.empty());
}

TEST_F(RegradeCheckTest, WhatElseChangedIsNamed) {
  options_.seed = 1;
  EXPECT_TRUE(obstacle().starts_with("The seed changed from ")) << obstacle();
  options_.seed.reset();
  assignment_.examples = "{}";
  EXPECT_EQ(obstacle(), "The seed or the inputs that the assignment has learned changed.");
  assignment_.examples.clear();
  const Policy policy = assignment_.policy;
  for (CheckPolicy& check : assignment_.policy.checks) check.points += 1;
  EXPECT_TRUE(obstacle().ends_with("changed too.")) << obstacle();
  assignment_.policy = policy;
  assignment_.policy.checks.push_back({"new.check", policy.objectives[0].id, "", 0, "", ""});
  EXPECT_EQ(obstacle(), "The assignment has a check more since then, new.check.");
  assignment_.policy = policy;
  std::erase_if(assignment_.policy.checks,
                [&](const CheckPolicy& check) { return check.id != failed_; });
  EXPECT_TRUE(obstacle().ends_with(" any more.")) << obstacle();
}

TEST_F(RegradeCheckTest, AnotherSeedIsNoticedWhereTheScorecardDoesNotTellIt) {
  options_.hint_level = HintLevel::score_only;
  as_graded(earlier_.scorecard);
  earlier_.scorecard.seed = 0;
  EXPECT_EQ(obstacle(), "");
  EXPECT_EQ(regraded(passing()).seed, 0) << "and is not told now";
  options_.seed = 1;
  EXPECT_EQ(obstacle(), "The seed or the inputs that the assignment has learned changed.");
}

TEST_F(RegradeCheckTest, FullMarksHaveNoDiagnosis) {
  EXPECT_FALSE(earlier_.scorecard.diagnosis.empty());
  for (ScoredCheck& check : earlier_.scorecard.checks) {
    if (check.result.id == failed_) continue;
    check.result.status = CheckStatus::passed;
    check.points = check.max_points;
  }
  const Scorecard all = regraded(passing());
  EXPECT_EQ(all.score, all.max_score);
  EXPECT_TRUE(all.diagnosis.empty());
}

TEST_F(RegradeCheckTest, AnotherSubmissionIsNotMixedIn) {
  Scorecard fresh = passing();
  fresh.submission_digest = std::string(64, 'f');
  EXPECT_THROW(static_cast<void>(regraded(fresh)), UsageFault);
  fresh = passing();
  fresh.status = ScorecardStatus::not_built;
  EXPECT_THROW(static_cast<void>(regraded(fresh)), EnvironmentFault);
}

}  // namespace
}  // namespace grader
