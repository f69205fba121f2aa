#include "grader/report/html/html.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/report/html/page_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

std::string page_of(const Scorecard& scorecard) {
  return html_report(scorecard, {"attention-grader", "attention.grade/scorecard.json", ""});
}

std::map<std::string, Scorecard> every_kind() {
  return {
      {"all_right", examples::all_right()}, {"masked_too_late", examples::masked_too_late()},
      {"faulty", examples::faulty()},       {"not_built", examples::not_built()},
      {"refused", examples::refused()},     {"environment_error", examples::environment_error()},
      {"hostile", examples::hostile()},     {"with_figures", examples::with_figures()}};
}

TEST(HtmlReportTest, IsOneWholePageForEveryKindOfScorecard) {
  for (const auto& [name, scorecard] : every_kind()) {
    const std::string page = page_of(scorecard);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_FALSE(has(page, "{{")) << page.substr(page.find("{{"), 80);
    EXPECT_EQ(count(page, "<main"), 1U);
    EXPECT_EQ(count(page, "<details"), count(page, "</details>"));
    EXPECT_EQ(count(page, "<section"), count(page, "</section>"));
    EXPECT_EQ(count(page, "<table"), count(page, "</table>"));
    // browser_test.py looks at them in a browser.
    if (const char* folder = std::getenv("ATTENTION_GRADER_PAGES")) {
      write_atomically(std::filesystem::path(folder) / (name + ".html"), page);
    }
  }
}

TEST(HtmlReportTest, LoadsNothingFromAnywhere) {
  for (const auto& [name, scorecard] : every_kind()) {
    const std::string page = page_of(scorecard);
    for (const char* part : {"http:", "https:", "src=", "@import", "url(", "<link", "<iframe"}) {
      EXPECT_FALSE(has(page, part)) << part;
    }
  }
}

TEST(HtmlReportTest, NamesItsScriptAndStyleByTheirHashes) {
  const std::string page = page_of(examples::all_right());
  EXPECT_TRUE(has(page, "default-src 'none'; style-src 'sha256-"));
  EXPECT_TRUE(has(page, "script-src 'sha256-"));
  EXPECT_FALSE(has(page, "unsafe-inline"));
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_EQ(count(page, "<style>"), 1U);
  EXPECT_FALSE(has(page, " style=")) << "the policy would refuse it";
  EXPECT_FALSE(has(page, " onclick="));
}

TEST(HtmlReportTest, ShowsScoreObjectivesFailuresAndCommands) {
  const std::string page = page_of(examples::masked_too_late());
  EXPECT_TRUE(has(page, "<strong>25</strong> <span>of 70 points</span>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">stable softmax</th>"));
  EXPECT_TRUE(has(page, "<a href=\"#check-mask-future_logits\">mask.future_logits</a>"));
  EXPECT_TRUE(has(page, "id=\"check-mask-future_logits\""));
  EXPECT_TRUE(has(page, "Row 0 of the weights sums to 0.5 instead of 1."));
  EXPECT_TRUE(has(page, "replay attention.grade/scorecard.json softmax.row_sums"));
  EXPECT_TRUE(has(page, "Make softmax.row_sums pass first."));
  EXPECT_TRUE(has(page, "2 checks passed"));
}

TEST(HtmlReportTest, SetsWhatCameBackBesideWhatWasExpectedAndTheirDifference) {
  const std::string page = page_of(examples::masked_too_late());
  EXPECT_TRUE(has(page, "<caption>yours</caption>"));
  EXPECT_TRUE(has(page, "<caption>expected</caption>"));
  EXPECT_TRUE(has(page, "<caption>difference</caption>"));
  EXPECT_TRUE(has(page, " first\" title=\"0.5\">0.5<span class=\"unseen\"> (first difference)"));
  EXPECT_TRUE(has(page, "masked future")) << "the causal triangle";
}

TEST(HtmlReportTest, BigInputsAreNamedByTheirSize) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.checks[3].result.minimal->test_case.inputs = {{"Q", Matrix(24, 16), {"n", "d_k"}}};
  const std::string page = page_of(scorecard);
  EXPECT_TRUE(has(page, "<var>Q</var> = (24×16, in the scorecard)"));
}

TEST(HtmlReportTest, AllRightHasNothingToFold) {
  const std::string page = page_of(examples::all_right());
  EXPECT_FALSE(has(page, "What failed"));
  EXPECT_FALSE(has(page, "Fold all</button>"));
  EXPECT_TRUE(has(page, "All 8 checks passed"));
}

TEST(HtmlReportTest, WhatKeptASubmissionFromBeingGradedIsSaidFirst) {
  const std::string broken = page_of(examples::not_built());
  EXPECT_TRUE(has(broken, "The submission does not compile."));
  EXPECT_TRUE(has(broken, "attention.cpp:12:31: error: expected &apos;;&apos; before"));
  EXPECT_TRUE(has(broken, "A semicolon is missing at the end of line 12."));
  EXPECT_FALSE(has(broken, "Score by objective"));
  EXPECT_TRUE(has(page_of(examples::refused()), "hand in the file with your work."));
  EXPECT_TRUE(has(page_of(examples::environment_error()), "That costs no mark."));
}

TEST(HtmlReportTest, TextsOfASubmissionStayText) {
  const std::string page = page_of(examples::hostile());
  EXPECT_FALSE(has(page, "<b>"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;&lt;b&gt;"));
  EXPECT_EQ(count(page, "</script>"), 1U);
  EXPECT_TRUE(plain_text(page, page.size()) == page) << "valid text without control characters";
}

TEST(HtmlReportTest, MarkupInEveryTextFieldIsEscaped) {
  const std::string attack = "<img src=x onerror=alert(1)>\"'&{{score}}{{{style}}}";
  Scorecard scorecard = examples::masked_too_late();
  scorecard.submission_id = scorecard.assignment_title = scorecard.printed = attack;
  scorecard.files[0].name = attack;
  scorecard.notices = {attack};
  for (ObjectiveScore& objective : scorecard.objectives) objective.title = attack;
  for (ScoredCheck& check : scorecard.checks) {
    check.title = check.hint = check.lesson = check.replay = attack;
    CheckResult& result = check.result;
    result.message += attack;
    result.accepted_wrongly = result.refused_wrongly = {attack};
    result.calls = {{attack, {}}};
    if (!result.minimal) continue;
    result.minimal->test_case.name = attack;
    for (Input& input : result.minimal->test_case.inputs) input.name = attack;
    for (Field& field : result.minimal->judgement.returned) field.name = attack;
    result.minimal->judgement.returned_title = attack;
  }
  Figure table;
  table.title = table.caption = attack;
  table.columns = {attack, attack};
  table.rows = {{attack, attack}};
  Figure lines = table;
  lines.kind = Figure::Kind::lines;
  lines.x_title = lines.y_title = attack;
  lines.series = {{attack, {1}, {1}, false}};
  Figure heatmap = table;
  heatmap.kind = Figure::Kind::heatmap;
  heatmap.panels = {{attack, Matrix(1, 1)}};
  scorecard.figures = {table, lines, heatmap};
  const std::string page = page_of(scorecard);
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "\"'&{{"));
  EXPECT_TRUE(has(page, "&lt;img src=x onerror=alert(1)&gt;&quot;&apos;&amp;{{score}}{{{style}}}"));
}

TEST(HtmlReportTest, HiddenInputsStayHidden) {
  const std::string page = page_of(redacted(examples::masked_too_late(), HintLevel::hints));
  EXPECT_FALSE(has(page, "smallest input"));
  EXPECT_FALSE(has(page, "<caption>"));
  EXPECT_TRUE(has(page, "does not show the inputs of its checks"));
  const std::string score = page_of(redacted(examples::masked_too_late(), HintLevel::score_only));
  EXPECT_FALSE(has(score, "seed"));
  EXPECT_FALSE(has(score, "instead of 1"));
}

TEST(HtmlReportTest, BigValuesAreCut) { EXPECT_LT(page_of(examples::hostile()).size(), 400'000U); }

}  // namespace
}  // namespace grader
