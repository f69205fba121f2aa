#include "grader/class_report/handed_on.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

StudentResult graded(double score) {
  StudentResult student;
  student.id = "ada";
  student.status = StudentStatus::graded;
  student.final_score = score;
  return student;
}

TEST(HandedOnTest, AScoreHasTwoDecimalsAndAZeroIsAScore) {
  EXPECT_EQ(handed_on(graded(65.60000000000001)).score, 65.6);
  EXPECT_EQ(handed_on(graded(0)).score, 0);
  EXPECT_TRUE(handed_on(graded(0)).why_not.empty());
}

TEST(HandedOnTest, TheStudentReadsTheNumberThatThePlatformGets) {
  for (const double score : {65.625, 65.375, 0.125, 1.005, 99.995, 33.333333333333336}) {
    const StudentResult student = graded(score);
    const std::string points = points_text(handed_on(student).score.value());
    EXPECT_EQ(comment_for(student, 100), points + " of 100 points.");
    EXPECT_EQ(points_text(score), points);
  }
  EXPECT_EQ(points_text(65.625), "65.63");
  EXPECT_EQ(points_text(1e300).size(), 301U) << "and not infinite";
}

TEST(HandedOnTest, NobodyGetsAZeroForWhatIsNotDecided) {
  StudentResult missing;
  EXPECT_FALSE(handed_on(missing).score);
  EXPECT_EQ(handed_on(missing).why_not, "has handed nothing in");
  StudentResult failed;
  failed.status = StudentStatus::needs_attention;
  failed.needs_attention = "The disk was full.";
  EXPECT_EQ(handed_on(failed).why_not, "needs attention: The disk was full.");
  StudentResult open = graded(80);
  open.needs_attention = "Late, nobody knows how late.";
  EXPECT_FALSE(handed_on(open).score);
  StudentResult excused;
  excused.status = StudentStatus::excused;
  EXPECT_TRUE(handed_on(excused).is_excused);
  EXPECT_FALSE(handed_on(excused).score);
}

TEST(HandedOnTest, WhatAPersonDecidedCountsWhateverWasOpen) {
  for (const StudentStatus status :
       {StudentStatus::excused, StudentStatus::missing, StudentStatus::needs_attention}) {
    StudentResult student;
    student.status = status;
    student.needs_attention = "The disk was full.";
    student.is_overridden = true;
    student.final_score = 70;
    EXPECT_EQ(handed_on(student).score, 70);
    EXPECT_FALSE(handed_on(student).is_excused);
  }
}

TEST(HandedOnTest, PointsHaveNoMoreDigitsThanTheyNeed) {
  EXPECT_EQ(points_text(82), "82");
  EXPECT_EQ(points_text(65.6), "65.6");
  EXPECT_EQ(points_text(1.0 / 3), "0.33");
  EXPECT_EQ(points_text(100), "100");
  EXPECT_EQ(points_text(0), "0");
  EXPECT_EQ(points_text(-0.001), "0");
  EXPECT_EQ(points_text(1e15), "1000000000000000");
  EXPECT_THROW((void)points_text(std::numeric_limits<double>::quiet_NaN()), InternalFault);
}

TEST(HandedOnTest, TheCommentSaysWhatBecameOfTheSubmission) {
  StudentResult student = graded(0);
  EXPECT_EQ(comment_for(student, 100), "0 of 100 points.");
  student.status = StudentStatus::not_built;
  EXPECT_EQ(comment_for(student, 100), "0 of 100 points: does not compile.");
  student.status = StudentStatus::graded;
  student.adjustments = {"One day late.", "The second attempt\ncounts."};
  EXPECT_EQ(comment_for(student, 7.5), "0 of 7.5 points. One day late. The second attempt counts.");
  student.is_overridden = true;
  student.final_score = 5;
  EXPECT_EQ(comment_for(student, 100), "5 of 100 points, decided by hand.");
}

}  // namespace
}  // namespace grader
