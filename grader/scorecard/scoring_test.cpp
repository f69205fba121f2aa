#include "grader/scorecard/scoring.hpp"

#include <gtest/gtest.h>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

Policy two_objectives() {
  Policy policy;
  policy.objectives = {{"shapes", "shapes", 12}, {"mask", "mask", 8}};
  policy.checks = {{"shapes.ledger", "shapes", "shape ledger", 5, "hint", "lesson"},
                   {"shapes.results", "shapes", "result shapes", 7, "", ""},
                   {"mask.future_logits", "mask", "masked logits", 8, "", ""}};
  return policy;
}

CheckResult result_of(const std::string& id, CheckStatus status) {
  CheckResult result;
  result.id = id;
  result.status = status;
  return result;
}

TEST(ScoringTest, APassedCheckEarnsItsPointsAndItsObjectiveAddsThemUp) {
  const Scoring scoring =
      score_results(two_objectives(), {result_of("mask.future_logits", CheckStatus::passed),
                                       result_of("shapes.ledger", CheckStatus::failed),
                                       result_of("shapes.results", CheckStatus::passed)});
  ASSERT_EQ(scoring.checks.size(), 3U);
  EXPECT_EQ(scoring.checks[0].result.id, "shapes.ledger");
  EXPECT_EQ(scoring.checks[0].points, 0);
  EXPECT_EQ(scoring.checks[0].max_points, 5);
  EXPECT_EQ(scoring.checks[0].hint, "hint");
  EXPECT_EQ(scoring.checks[0].lesson, "lesson");
  EXPECT_EQ(scoring.objectives[0].points, 7);
  EXPECT_EQ(scoring.objectives[0].max_points, 12);
  EXPECT_EQ(scoring.objectives[1].points, 8);
  EXPECT_EQ(scoring.score, 15);
  EXPECT_EQ(scoring.max_score, 20);
}

TEST(ScoringTest, OnlyPassedEarnsPoints) {
  for (const CheckStatus status :
       {CheckStatus::failed, CheckStatus::crashed, CheckStatus::timed_out, CheckStatus::not_run}) {
    const Scoring scoring = score_results(two_objectives(), {result_of("shapes.ledger", status)});
    EXPECT_EQ(scoring.score, 0);
  }
}

TEST(ScoringTest, ChecksWithoutResultAreNotRunAndKeepTheirMaximum) {
  const Scoring scoring = score_results(two_objectives(), {});
  EXPECT_EQ(scoring.score, 0);
  EXPECT_EQ(scoring.max_score, 20);
  EXPECT_EQ(scoring.checks[1].result.id, "shapes.results");
  EXPECT_EQ(scoring.checks[1].result.status, CheckStatus::not_run);
}

TEST(ScoringTest, UnknownAndRepeatedResultsAreBugsOfTheGrader) {
  EXPECT_THROW(score_results(two_objectives(), {result_of("nothing", CheckStatus::passed)}),
               InternalFault);
  EXPECT_THROW(score_results(two_objectives(), {result_of("shapes.ledger", CheckStatus::passed),
                                                result_of("shapes.ledger", CheckStatus::failed)}),
               InternalFault);
}

}  // namespace
}  // namespace grader
