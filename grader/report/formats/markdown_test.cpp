#include "grader/report/formats/markdown.hpp"

#include <gtest/gtest.h>

#include <string>

#include "grader/base/plain_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

std::string report_of(const Scorecard& scorecard) {
  return markdown_report(scorecard, {"attention-grader", "attention.grade/scorecard.json", ""});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The text outside of code, where Markdown means something.
std::string outside_of_code(const std::string& text) {
  std::string outside;
  std::string fence;
  std::size_t place = 0;
  while (place < text.size()) {
    std::size_t ticks = 0;
    while (place + ticks < text.size() && text[place + ticks] == '`') ++ticks;
    if (ticks == 0) {
      if (fence.empty()) outside += text[place];
      ++place;
      continue;
    }
    const std::string run(ticks, '`');
    if (fence.empty()) {
      fence = run;
    } else if (fence == run) {
      fence.clear();
    }
    place += ticks;
  }
  EXPECT_TRUE(fence.empty()) << "code that does not end";
  return outside;
}

TEST(MarkdownReportTest, ShowsScoreObjectivesFailuresAndCommands) {
  const std::string report = report_of(examples::masked_too_late());
  EXPECT_TRUE(report.starts_with("# ` attention.cpp `: 25 / 70\n")) << report;
  EXPECT_TRUE(has(report, "| stable softmax | 0 / 18 |"));
  EXPECT_TRUE(has(report, "### ✗ ` softmax.row_sums ` row sums, 0 / 9"));
  EXPECT_TRUE(has(report, "```text\n  Row 0 of the weights sums to 0.5 instead of 1.\n"));
  EXPECT_TRUE(has(report, "**Hint:** Do not clear weights after the softmax\\."));
  EXPECT_TRUE(has(report, "replay attention.grade/scorecard.json softmax.row_sums `"));
  EXPECT_TRUE(has(report, "Could not be judged"));
}

TEST(MarkdownReportTest, SaysWhatKeptASubmissionFromBeingGraded) {
  EXPECT_TRUE(has(report_of(examples::not_built()), "attention.cpp:12:31: error: expected ';'"));
  EXPECT_TRUE(has(report_of(examples::refused()), "is empty: hand in the file"));
  EXPECT_TRUE(has(report_of(examples::environment_error()), "no score"));
}

TEST(MarkdownReportTest, TextsOfASubmissionStandInCode) {
  const std::string attack =
      "@everyone <img src=x> [link](https://x.example) ![i](x) ``` ~~~ #1 www.x.example |a|\n# big";
  Scorecard scorecard = examples::masked_too_late();
  scorecard.submission_id = scorecard.files[0].name = attack;
  scorecard.notices = {attack};
  for (ScoredCheck& check : scorecard.checks) {
    check.result.message += attack;
    check.result.accepted_wrongly = {attack};
    if (check.result.minimal) check.result.minimal->test_case.name = attack;
  }
  for (const Scorecard& each : {scorecard, examples::hostile()}) {
    const std::string outside = outside_of_code(report_of(each));
    for (const char* part : {"@", "<", "](", "www", "https", "# big", "#1", "\n#  "}) {
      EXPECT_FALSE(has(outside, part)) << part << "\n" << outside;
    }
  }
}

TEST(MarkdownReportTest, EscapesWhatTheAssignmentSays) {
  EXPECT_EQ(markdown_text("a_b *c* <d>"), "a\\_b \\*c\\* \\<d\\>");
  EXPECT_EQ(markdown_text("two\nlines"), "two lines");
}

TEST(MarkdownReportTest, CodeCannotBeEndedByItsContent) {
  EXPECT_EQ(markdown_code("a`b``c"), "``` a`b``c ```");
  EXPECT_EQ(markdown_block("```\nx"), "````text\n```\nx\n````\n");
  EXPECT_EQ(markdown_block("x\n"), "```text\nx\n```\n");
}

TEST(MarkdownReportTest, IsPlainTextWhateverTheBytes) {
  const std::string report = report_of(examples::hostile());
  EXPECT_EQ(plain_text(report, report.size()), report);
  EXPECT_LT(report.size(), 64U << 10U);
}

TEST(MarkdownReportTest, HiddenInputsStayHidden) {
  const std::string report =
      report_of(redacted(examples::masked_too_late(), HintLevel::score_only));
  EXPECT_FALSE(has(report, "seed"));
  EXPECT_FALSE(has(report, "instead of 1"));
}

}  // namespace
}  // namespace grader
