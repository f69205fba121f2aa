#include "grader/lti/score.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

LtiScore some_score() {
  LtiScore score;
  score.user_id = "5323497";
  score.timestamp = "2026-11-30T16:35:01.123Z";
  score.given = 65.6;
  score.maximum = 100;
  return score;
}

TEST(LtiScoreTest, HasTheMembersOfTheSpecificationAndNoOthers) {
  LtiScore score = some_score();
  EXPECT_EQ(lti_score_json(score).dump(),
            R"({"userId":"5323497","activityProgress":"Completed","gradingProgress":"FullyGraded",)"
            R"("timestamp":"2026-11-30T16:35:01.123Z","scoreGiven":65.6,"scoreMaximum":100.0})");
  score.comment = "65.6 of 100 points.";
  score.submitted_at = "2026-11-29T10:00:00.000Z";
  const auto json = lti_score_json(score);
  EXPECT_EQ(json["comment"], "65.6 of 100 points.");
  EXPECT_EQ(json["submission"]["submittedAt"], "2026-11-29T10:00:00.000Z");
}

TEST(LtiScoreTest, AZeroIsGivenAndNothingIsNotAZero) {
  LtiScore score = some_score();
  score.given = 0;
  EXPECT_EQ(lti_score_json(score)["scoreGiven"], 0.0);
  score.given.reset();
  score.grading = LtiGrading::pending_manual;
  const auto json = lti_score_json(score);
  EXPECT_FALSE(json.contains("scoreGiven"));
  EXPECT_FALSE(json.contains("scoreMaximum"));
  EXPECT_EQ(json["gradingProgress"], "PendingManual");
}

TEST(LtiScoreTest, WhatNoPlatformTakesIsABug) {
  const auto refuses = [](auto change) {
    LtiScore score = some_score();
    change(score);
    EXPECT_THROW((void)lti_score_json(score), InternalFault);
  };
  refuses([](LtiScore& score) { score.user_id = ""; });
  refuses([](LtiScore& score) { score.user_id = "zoë"; });
  refuses([](LtiScore& score) { score.timestamp = ""; });
  refuses([](LtiScore& score) { score.given = -1; });
  refuses([](LtiScore& score) { score.given = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](LtiScore& score) { score.maximum = 0; });
  refuses([](LtiScore& score) { score.maximum = std::numeric_limits<double>::infinity(); });
}

TEST(LtiScoreTest, TimestampsHaveAnOffsetAndMilliseconds) {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  EXPECT_EQ(lti_timestamp(system_clock::time_point(milliseconds(1'796'043'900'007))),
            "2026-11-30T13:05:00.007Z");
  EXPECT_EQ(lti_timestamp(system_clock::time_point(milliseconds(-1))), "1969-12-31T23:59:59.999Z");
}

TEST(LtiScoreTest, AUserIsVisibleAsciiOfAtMost255Characters) {
  EXPECT_TRUE(is_lti_user("a6d5c443-1f51-4783-ba1a-7686ffe3b54a"));
  EXPECT_TRUE(is_lti_user(std::string(255, 'x')));
  EXPECT_FALSE(is_lti_user(std::string(256, 'x')));
  EXPECT_FALSE(is_lti_user(""));
  EXPECT_FALSE(is_lti_user("a b"));
  EXPECT_FALSE(is_lti_user("a\n"));
}

}  // namespace
}  // namespace grader
