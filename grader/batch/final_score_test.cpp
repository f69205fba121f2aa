#include "grader/batch/final_score.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "grader/base/fault.hpp"
#include "grader/batch/selection.hpp"

namespace grader {
namespace {

constexpr std::int64_t kDue = 1796079540;  // 2026-11-30T23:59:00+01:00
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

class FinalScoreTest : public testing::Test {
 protected:
  FinalScoreTest() {
    deadline_.due = kDue;
    deadline_.utc_offset = 3600;
    deadline_.grace_minutes = 15;
    deadline_.penalty_percent_per_day = 10;
    deadline_.latest_days = 5;
    deadline_.free_late_days = 2;
  }

  [[nodiscard]] FinalScore after(std::int64_t seconds, const Student* student = nullptr) const {
    Attempt attempt;
    attempt.submitted_at = kDue + seconds;
    return final_score(82, attempt, true, student, deadline_);
  }

  Deadline deadline_;
  Student student_;
};

TEST_F(FinalScoreTest, InTimeCostsNothing) {
  for (const std::int64_t seconds : {-kDay, std::int64_t{0}, 15 * kMinute}) {
    EXPECT_EQ(after(seconds).score, 82);
    EXPECT_EQ(after(seconds).days_late, 0);
  }
  EXPECT_EQ(after(-60).explanation,
            "Handed in 2026-11-30 23:58 (UTC+01:00), in time (due 2026-11-30 23:59 (UTC+01:00)).");
}

TEST_F(FinalScoreTest, StartedDaysCountFromTheDueTime) {
  EXPECT_EQ(after(15 * kMinute + 1).days_late, 1);
  EXPECT_EQ(after(kDay).days_late, 1);
  EXPECT_EQ(after(kDay + 1).days_late, 2);
}

TEST_F(FinalScoreTest, FreeDaysAreSpentFirstAndTheRestCosts) {
  const FinalScore score = after(2 * kDay + 1);
  EXPECT_EQ(score.score, 73.8);
  EXPECT_EQ(score.free_days_spent, 2);
  EXPECT_EQ(
      score.explanation,
      "Handed in 2026-12-02 23:59 (UTC+01:00), 3 days late (due 2026-11-30 23:59 "
      "(UTC+01:00)); free late days spent: 2; 1 day cost 10 % of the score: 82 becomes 73.8.");
  student_.late_days_used = 1;
  EXPECT_EQ(after(2 * kDay + 1, &student_).score, 65.6);
  student_.late_days_used = 7;
  EXPECT_EQ(after(2 * kDay + 1, &student_).score, 57.4);
  EXPECT_EQ(after(kDay).explanation.find("no penalty") != std::string::npos, true);
}

TEST_F(FinalScoreTest, TooLateCountsNothing) {
  EXPECT_EQ(after(5 * kDay).free_days_spent, 2);
  const FinalScore score = after(5 * kDay + 1);
  EXPECT_EQ(score.score, 0);
  EXPECT_EQ(score.free_days_spent, 0);
  EXPECT_NE(score.explanation.find("later than 5 days counts nothing"), std::string::npos);
}

TEST_F(FinalScoreTest, PenaltiesNeverTakeMoreThanEverything) {
  deadline_.latest_days.reset();
  EXPECT_EQ(after(100 * kDay).score, 0);
}

TEST_F(FinalScoreTest, ExtensionsMoveTheDueTime) {
  student_.extension_days = 3;
  EXPECT_EQ(after(3 * kDay, &student_).days_late, 0);
  EXPECT_EQ(after(3 * kDay + kDay, &student_).days_late, 1);
  EXPECT_NE(after(0, &student_).explanation.find("extended by 3 days"), std::string::npos);
  student_.extension_days = 0;
  student_.due = kDue + kDay;
  EXPECT_EQ(after(kDay, &student_).days_late, 0);
  EXPECT_NE(after(0, &student_).explanation.find("agreed with the student"), std::string::npos);
}

TEST_F(FinalScoreTest, ExcusedStudentsHaveNoScore) {
  student_.excused = true;
  const FinalScore score = after(9 * kDay, &student_);
  EXPECT_FALSE(score.score);
  EXPECT_TRUE(score.is_excused);
}

TEST_F(FinalScoreTest, NothingIsMadeUpWhereFactsAreMissing) {
  EXPECT_FALSE(final_score(std::nullopt, Attempt{}, true, nullptr, deadline_).score);
  Attempt unknown;
  EXPECT_EQ(final_score(82, unknown, true, nullptr, deadline_).score, 82);
  EXPECT_FALSE(final_score(82, unknown, true, nullptr, deadline_).needs_decision);
  unknown.marked_late = true;
  const FinalScore late = final_score(82, unknown, true, nullptr, deadline_);
  EXPECT_EQ(late.score, 82);
  EXPECT_TRUE(late.needs_decision);
  EXPECT_EQ(final_score(82, unknown, true, nullptr, std::nullopt).explanation,
            "The assignment has no deadline.");
  student_.submitted_at = kDue + 2 * kDay + 1;
  EXPECT_EQ(final_score(82, unknown, true, &student_, deadline_).score, 73.8);
  EXPECT_TRUE(final_score(82, unknown, false, &student_, deadline_).needs_decision);
}

TEST_F(FinalScoreTest, AnUnreadableRosterCellIsForPeople) {
  student_.problem = "Row 3: extension_days \"soon\" is no whole number of days from 0 on.";
  const FinalScore score = after(9 * kDay, &student_);
  EXPECT_EQ(score.score, 82);
  EXPECT_TRUE(score.needs_decision);
  EXPECT_NE(score.explanation.find("Row 3"), std::string::npos);
}

TEST_F(FinalScoreTest, PeopleDecideLastAndSayWhy) {
  student_.excused = true;
  const FinalScore score = decided(after(0, &student_), {90, "oral exam\nin January"});
  EXPECT_EQ(score.score, 90);
  EXPECT_FALSE(score.is_excused);
  EXPECT_TRUE(score.is_decided_by_hand);
  EXPECT_EQ(score.explanation,
            "Decided by hand: 90 (oral exam in January). Excused in the roster.");
  EXPECT_THROW(decided(after(0), {90, "  "}), UsageFault);
  EXPECT_THROW(decided(after(0), {-1, "why"}), UsageFault);
  EXPECT_THROW(decided(after(0), {std::numeric_limits<double>::quiet_NaN(), "why"}), UsageFault);
}

Attempt numbered(const std::string& student, std::int64_t number) {
  Attempt attempt;
  attempt.student = student;
  attempt.number = number;
  return attempt;
}

using Places = std::vector<std::size_t>;

TEST(SelectionTest, GradesTheLastWithinTheLimitOrAll) {
  const std::vector<Attempt> attempts = {numbered("a", 1), numbered("a", 2), numbered("a", 3),
                                         numbered("b", 1)};
  EXPECT_EQ(attempts_to_grade(attempts, WhichAttempts::last, std::nullopt), (Places{2, 3}));
  EXPECT_EQ(attempts_to_grade(attempts, WhichAttempts::last, 2), (Places{1, 3}));
  EXPECT_EQ(attempts_to_grade(attempts, WhichAttempts::best, 2), (Places{0, 1, 3}));
  EXPECT_EQ(attempts_to_grade(attempts, WhichAttempts::all, std::nullopt), (Places{0, 1, 2, 3}));
}

TEST(SelectionTest, TheBestIsTheLaterOfEquals) {
  const std::vector<GradedAttempt> attempts = {{1, 80}, {2, 90}, {3, 90}, {4, std::nullopt}};
  EXPECT_EQ(counting_attempts(attempts, WhichAttempts::best, 4).place, 2);
  EXPECT_EQ(counting_attempts(attempts, WhichAttempts::best, 4).explanation,
            "Attempt 3 of 4 counts: the best. 1 without a score may be better.");
  for (const WhichAttempts which : {WhichAttempts::last, WhichAttempts::all}) {
    EXPECT_EQ(counting_attempts(attempts, which, 4).place, 3);
    EXPECT_EQ(counting_attempts(attempts, which, 4).explanation,
              "Attempt 4 of 4 counts: the last.");
  }
}

TEST(SelectionTest, WithoutScoresTheLastCounts) {
  const std::vector<GradedAttempt> attempts = {{2, std::nullopt}, {1, std::nullopt}};
  EXPECT_EQ(counting_attempts(attempts, WhichAttempts::best, 2).place, 0);
  EXPECT_EQ(counting_attempts({{1, 0}}, WhichAttempts::best, 1).explanation,
            "It is the only attempt.");
  EXPECT_EQ(counting_attempts({{3, 0}}, WhichAttempts::last, 3).explanation,
            "Attempt 3 of 3 counts: the last.")
      << "the others were not graded";
  EXPECT_THROW(counting_attempts({}, WhichAttempts::best, 0), InternalFault);
}

TEST(SelectionTest, AttemptsBeyondTheLimitAreSaid) {
  EXPECT_EQ(beyond_limit_text(3, 3), "");
  EXPECT_EQ(beyond_limit_text(9, std::nullopt), "");
  EXPECT_EQ(beyond_limit_text(4, 3), "Attempt 4 does not count: 3 are allowed.");
  EXPECT_EQ(beyond_limit_text(6, 1), "Attempts 2 to 6 do not count: 1 is allowed.");
}

TEST(SelectionTest, KnowsThreeChoices) {
  EXPECT_EQ(which_attempts("best"), WhichAttempts::best);
  EXPECT_THROW(which_attempts("bset"), UsageFault);
}

}  // namespace
}  // namespace grader
