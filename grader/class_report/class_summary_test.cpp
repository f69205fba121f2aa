#include "grader/class_report/class_summary.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "grader/base/fault.hpp"
#include "grader/class_report/example_classes.hpp"

namespace grader {
namespace {

// Students with these final scores of 100.
ClassResults scored(const std::vector<double>& scores) {
  ClassResults results;
  results.max_score = 100;
  for (const double score : scores) {
    StudentResult student;
    student.id = std::to_string(results.students.size());
    student.status = StudentStatus::graded;
    student.final_score = score;
    results.students.push_back(student);
  }
  return results;
}

TEST(ClassSummaryTest, FinalScoresCountBeforeComputedOnes) {
  StudentResult student;
  EXPECT_FALSE(counting_score(student));
  student.score = 80;
  EXPECT_EQ(counting_score(student), 80);
  student.final_score = 60;
  EXPECT_EQ(counting_score(student), 60);
}

TEST(ClassSummaryTest, NobodyHasNoMeanAndNoMedian) {
  const ClassSummary summary = summary_of(scored({}));
  EXPECT_FALSE(summary.mean);
  EXPECT_FALSE(summary.median);
  EXPECT_EQ(summary.scored, 0U);
}

TEST(ClassSummaryTest, MedianOfAnEvenNumberLiesBetweenTheMiddleTwo) {
  EXPECT_EQ(summary_of(scored({90})).median, 90);
  EXPECT_EQ(summary_of(scored({90, 10, 50, 70})).median, 60);
  EXPECT_EQ(summary_of(scored({90, 10, 50, 70})).mean, 55);
}

TEST(ClassSummaryTest, FullMarksAndOddScoresFallIntoTheOuterBins) {
  const ClassSummary summary = summary_of(scored({0, 4.99, 5, 99, 100, 120, -3}));
  ASSERT_EQ(summary.bins.size(), 20U);
  EXPECT_EQ(summary.bins[0].students, 3U);
  EXPECT_EQ(summary.bins[1].students, 1U);
  EXPECT_EQ(summary.bins[19].students, 3U);
  EXPECT_EQ(summary.bins[19].to, 100);
}

TEST(ClassSummaryTest, OnlyWorkThatWasHandedInIsInTheDistribution) {
  ClassResults results = scored({100, 0, 0, 0});
  results.students[1].status = StudentStatus::missing;
  results.students[2].status = StudentStatus::excused;
  results.students[3].status = StudentStatus::not_built;
  const ClassSummary summary = summary_of(results);
  EXPECT_EQ(summary.scored, 2U);
  EXPECT_EQ(summary.mean, 50);
  EXPECT_EQ(summary.by_status.at(StudentStatus::missing), 1U);
}

TEST(ClassSummaryTest, ChecksAreCountedAmongThoseWithAScorecard) {
  ClassResults results = scored({1, 2, 3});
  results.checks = {{"a", "A", "objective", 1}};
  results.students[0].checks = {{CheckStatus::passed, 1}};
  results.students[1].checks = {{CheckStatus::not_run, 0}};
  const ClassSummary summary = summary_of(results);
  EXPECT_EQ(summary.checks[0].students, 2U);
  EXPECT_EQ(summary.checks[0].passed, 1U);
  EXPECT_EQ(summary.checks[0].not_judged, 1U);
}

TEST(ClassSummaryTest, MisconceptionsComeByFrequencyEachWithItsClearestExample) {
  ClassResults results = scored({1, 2, 3, 4});
  results.misconceptions = {{"M02", "Masks late", "text"}};
  results.students[0].diagnoses = {"M02", "S01"};
  results.students[1].diagnoses = {"M02"};  // nothing beside it, but nothing to look at
  results.students[2].diagnoses = {"M02"};
  results.students[3].diagnoses = {"S01", "S01"};
  for (const std::size_t place : {0U, 2U, 3U}) results.students[place].report = "r.html";
  const ClassSummary summary = summary_of(results);
  ASSERT_EQ(summary.misconceptions.size(), 2U);
  EXPECT_EQ(summary.misconceptions[0].misconception.title, "Masks late");
  EXPECT_EQ(summary.misconceptions[0].students, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(summary.misconceptions[0].example, 2U);
  EXPECT_EQ(summary.misconceptions[1].misconception.id, "S01");
  EXPECT_EQ(summary.misconceptions[1].students, (std::vector<std::size_t>{0, 3}));
}

TEST(ClassSummaryTest, ResultsThatContradictThemselvesAreABug) {
  ClassResults cells = scored({1});
  cells.students[0].checks = {{CheckStatus::passed, 1}};
  EXPECT_THROW(static_cast<void>(summary_of(cells)), InternalFault);
  EXPECT_THROW(static_cast<void>(summary_of(scored({std::numeric_limits<double>::quiet_NaN()}))),
               InternalFault);
  ClassResults pair = scored({1});
  pair.similarity.pairs = {{0, 1, 1, 1, {}, {}}};
  EXPECT_THROW(static_cast<void>(summary_of(pair)), InternalFault);
  ClassResults group = scored({1});
  group.similarity.identical = {{0, 7}};
  EXPECT_THROW(static_cast<void>(summary_of(group)), InternalFault);
}

TEST(ClassSummaryTest, TheExampleClassHasEverything) {
  const ClassSummary summary = summary_of(examples::class_of(2000));
  EXPECT_EQ(summary.by_status.size(), 6U);
  EXPECT_FALSE(summary.need_attention.empty());
  EXPECT_GT(summary.misconceptions.size(), 4U);
}

}  // namespace
}  // namespace grader
