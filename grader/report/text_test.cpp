#include "grader/report/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

constexpr std::size_t kFileLimit = 1 << 20;

// Compares with approved/NAME.txt. A report that differs is written to NAME.received.txt in the
// folder that ATTENTION_GRADER_RECEIVED names (scripts/approve moves it into place).
void expect_approved(const std::string& name, const std::string& report) {
  const auto approved = std::filesystem::path(APPROVED) / (name + ".txt");
  const bool exists = std::filesystem::exists(approved);
  const std::string wanted = exists ? read_file(approved, kFileLimit) : "";
  if (const char* received = std::getenv("ATTENTION_GRADER_RECEIVED");
      received != nullptr && report != wanted) {
    write_atomically(std::filesystem::path(received) / (name + ".received.txt"), report);
  }
  EXPECT_EQ(report, wanted) << "if the new text is better, accept it with scripts/approve";
}

std::string report_of(const Scorecard& scorecard) {
  return text_report(scorecard,
                     {false, {"attention-grader", "attention.grade/scorecard.json", ""}});
}

TEST(TextReportTest, AllRightIsApproved) {
  const std::string report = report_of(examples::all_right());
  expect_approved("all_right", report);
  EXPECT_LE(std::ranges::count(report, '\n'), 11);
}
TEST(TextReportTest, WrongSubmissionIsApproved) {
  expect_approved("masked_too_late", report_of(examples::masked_too_late()));
}
TEST(TextReportTest, FaultySubmissionIsApproved) {
  expect_approved("faulty", report_of(examples::faulty()));
}
TEST(TextReportTest, CompileErrorIsApproved) {
  expect_approved("not_built", report_of(examples::not_built()));
}
TEST(TextReportTest, RefusalIsApproved) {
  expect_approved("refused", report_of(examples::refused()));
}
TEST(TextReportTest, EnvironmentErrorIsApproved) {
  expect_approved("environment_error", report_of(examples::environment_error()));
}
TEST(TextReportTest, HintsOnlyIsApproved) {
  expect_approved("hints_only", report_of(redacted(examples::masked_too_late(), HintLevel::hints)));
}
TEST(TextReportTest, ScoreOnlyIsApproved) {
  expect_approved("score_only",
                  report_of(redacted(examples::masked_too_late(), HintLevel::score_only)));
}

TEST(TextReportTest, ColorsOnlyWhenAsked) {
  const Scorecard scorecard = examples::masked_too_late();
  EXPECT_EQ(text_report(scorecard, {.color = false, .commands = {}}).find('\x1b'),
            std::string::npos);
  EXPECT_NE(text_report(scorecard, {.color = true, .commands = {}}).find('\x1b'),
            std::string::npos);
}

TEST(TextReportTest, ChecksThatFailAlikeShareOneBlock) {
  const std::string report = report_of(examples::masked_too_late());
  const std::string message = "Row 0 of the weights sums to 0.5 instead of 1.";
  const std::size_t first = report.find(message);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(report.find(message, first + 1), std::string::npos);
  EXPECT_NE(report.find("✗ softmax.values"), std::string::npos);
}

TEST(TextReportTest, UnwrittenFunctionsShareOneShortBlock) {
  Scorecard scorecard = examples::all_right();
  for (ScoredCheck& check : scorecard.checks) {
    CheckResult& result = check.result;
    const std::string function = result.id.substr(result.id.find('.') + 1);
    result.status = CheckStatus::failed;
    result.fault = Fault{"exception", function, function + ": not implemented yet", "", 0, ""};
    result.message = function + " threw an exception: not implemented yet";
    result.minimal.emplace().test_case.inputs = {{"n", std::int64_t{1}, {}}};
  }
  scorecard.checks.push_back(scorecard.checks.front());  // more than fit under each other
  const std::string report = report_of(scorecard);
  EXPECT_NE(report.find("✗ 9 checks"), std::string::npos) << report;
  EXPECT_NE(report.find("threw an exception: not implemented yet"), std::string::npos) << report;
  EXPECT_EQ(report.find("input"), std::string::npos) << report;
  EXPECT_LT(std::ranges::count(report, '\n'), 22) << report;
}

TEST(TextReportTest, AFaultIsFollowedByWhatToLookForInsteadOfTheLesson) {
  Scorecard scorecard = examples::faulty();
  EXPECT_EQ(report_of(scorecard).find("Look for an index"), std::string::npos) << "it is found";
  scorecard.checks[5].result.fault->access.clear();
  const std::string report = report_of(scorecard);
  EXPECT_NE(report.find("Look for an index outside of a matrix"), std::string::npos) << report;
  EXPECT_NE(report.find("Look for a loop that never ends"), std::string::npos) << report;
  EXPECT_EQ(report.find("Do not clear weights after the softmax."), std::string::npos) << report;
}

TEST(TextReportTest, InputsThatDoNotMatterAreLeftOut) {
  Scorecard scorecard = examples::masked_too_late();
  for (ScoredCheck& check : scorecard.checks) {
    if (!check.result.minimal) continue;
    for (Input& input : check.result.minimal->test_case.inputs) input.shown = input.name != "K";
  }
  const std::string report = report_of(scorecard);
  EXPECT_EQ(report.find("K = "), std::string::npos) << report;
  EXPECT_NE(report.find("Q = "), std::string::npos) << report;
}

TEST(TextReportTest, SidesOfAComparisonHaveTheNamesThatTheCheckGives) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.checks[5].result.minimal->judgement.returned_title = "after";
  scorecard.checks[5].result.minimal->judgement.expected_title = "before";
  const std::string report = report_of(scorecard);
  EXPECT_NE(report.find("weights      after       before"), std::string::npos) << report;
}

TEST(TextReportTest, ReplayCommandNamesTheScorecardAsAShellReadsIt) {
  const std::string report = text_report(
      examples::masked_too_late(), {false, {"/opt/a b/grader", "it's mine/scorecard.json", "toy"}});
  EXPECT_NE(report.find("'/opt/a b/grader' replay 'it'\\''s mine/scorecard.json' softmax.row_sums "
                        "--assignment toy"),
            std::string::npos);
}

TEST(TextReportTest, ReducedCoverageIsSaidInOneSentence) {
  Scorecard scorecard = examples::all_right();
  scorecard.checks[0].result.coverage_missed = {"a", "b", "c", "d", "e", "f", "g", "h"};
  const std::string report = report_of(scorecard);
  EXPECT_NE(report.find("a, b, c, d, e, f and 2 others."), std::string::npos) << report;
  EXPECT_EQ(report.find("every required kind"), std::string::npos);
}

TEST(TextReportTest, PrintedTextCannotCommandTheTerminal) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.printed = "\x1b[2Jall passed\rscore 100\n\xff\xe2\x80\xae\n";
  const std::string report = report_of(scorecard);
  EXPECT_NE(report.find("\\x1b[2Jall passed"), std::string::npos) << report;
  for (const char* raw : {"\x1b", "\r", "\xff", "\xe2\x80\xae"}) {
    EXPECT_EQ(report.find(raw), std::string::npos) << report;
  }
}
TEST(TextReportTest, BigValuesAreCut) {
  const std::string report = report_of(examples::hostile());
  EXPECT_LT(std::ranges::count(report, '\n'), 60);
  EXPECT_LT(report.size(), 12'000U);
}

}  // namespace
}  // namespace grader
