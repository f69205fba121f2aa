#include "grader/lti/student_scores.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace grader {
namespace {

constexpr const char* kNow = "2026-11-30T16:35:01.123Z";

StudentResult student(const std::string& id, std::optional<double> score) {
  StudentResult result;
  result.id = id;
  result.status = score ? StudentStatus::graded : StudentStatus::missing;
  result.final_score = score;
  result.lms_ids["lti_user"] = "user-" + id;
  return result;
}

LtiScores scores_of(std::vector<StudentResult> students) {
  ClassResults results;
  results.max_score = 100;
  results.students = std::move(students);
  return lti_scores(results, kNow);
}

TEST(LtiStudentScoresTest, EachStudentHasOneUnderTheUserOfTheRoster) {
  StudentResult ada = student("ada", 65.60000000000001);
  ada.submitted_at = 1'796'043'900;
  ada.adjustments = {"Two days late: 20 % off."};
  const LtiScores all = scores_of({ada, student("bob", 0)});
  EXPECT_TRUE(all.left_out.empty());
  ASSERT_EQ(all.scores.size(), 2U);
  EXPECT_EQ(all.scores[0].student, "ada");
  EXPECT_EQ(
      lti_score_json(all.scores[0].score).dump(),
      R"({"userId":"user-ada","activityProgress":"Completed","gradingProgress":"FullyGraded",)"
      R"("timestamp":"2026-11-30T16:35:01.123Z","scoreGiven":65.6,"scoreMaximum":100.0,)"
      R"("comment":"65.6 of 100 points. Two days late: 20 % off.",)"
      R"("submission":{"submittedAt":"2026-11-30T13:05:00.000Z"}})");
  EXPECT_EQ(all.scores[1].score.given, 0);
}

TEST(LtiStudentScoresTest, WhoHasNoScoreToSendIsNamedWithTheReason) {
  StudentResult excused = student("cy", std::nullopt);
  excused.status = StudentStatus::excused;
  StudentResult unknown = student("dan", 80);
  unknown.lms_ids.clear();
  StudentResult odd = student("eve", 80);
  odd.lms_ids["lti_user"] = "two words";
  StudentResult open = student("fay", 80);
  open.needs_attention = "Handed in late, nobody knows how late.";
  const LtiScores all = scores_of({excused, unknown, odd, open, student("gus", std::nullopt)});
  EXPECT_TRUE(all.scores.empty());
  EXPECT_EQ(
      all.left_out,
      (std::vector<std::string>{
          "cy is excused, which LTI cannot say", "dan has no lti_user in the roster",
          ("eve has an lti_user that LTI does not allow: ASCII letters, digits and signs, without "
           "blanks, 255 at most"),
          "fay needs attention: Handed in late, nobody knows how late.",
          "gus has handed nothing in"}));
}

TEST(LtiStudentScoresTest, WhatAPersonDecidedIsSentWithoutTheReason) {
  StudentResult decided = student("ada", 80);
  decided.needs_attention = "Handed in late, nobody knows how late.";
  decided.is_overridden = true;
  decided.adjustments = {"Decided by hand: 80 (was ill)."};
  const LtiScores all = scores_of({decided});
  ASSERT_EQ(all.scores.size(), 1U);
  EXPECT_EQ(all.scores[0].score.comment, "80 of 100 points, decided by hand.");
}

TEST(LtiStudentScoresTest, AUserOfTwoStudentsIsNobodys) {
  StudentResult twin = student("bob", 50);
  twin.lms_ids["lti_user"] = "user-ada";
  const LtiScores all = scores_of({student("ada", 80), twin, student("cy", 10)});
  ASSERT_EQ(all.scores.size(), 1U);
  EXPECT_EQ(all.scores[0].student, "cy");
  EXPECT_EQ(all.left_out.size(), 2U);
}

}  // namespace
}  // namespace grader
