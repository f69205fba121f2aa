#include "grader/lms/formats/autolab.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

std::vector<std::string> lines_of_export(const Scorecard& scorecard,
                                         const ExportOptions& options = {}) {
  std::string text = autolab_export(scorecard, options);
  text.erase(text.find_last_not_of(" \n") + 1);  // Autolab strips the end
  return lines_of(text);
}

// saveAutograde and parseAutoresult: the last line, its bare keys put in quotes, read as JSON. A
// score that is null stays ungraded.
std::map<std::string, std::optional<double>> scores_as_autolab_reads(
    const std::vector<std::string>& lines) {
  const std::string quoted =
      std::regex_replace(lines.back(), std::regex("([a-zA-Z0-9]+):"), "\"$1\":");
  const nlohmann::json result = parsed(quoted);
  std::map<std::string, std::optional<double>> scores;
  for (const auto& [name, score] : result["scores"].items()) {
    scores[name] = score.is_null() ? std::nullopt : std::optional(score.get<double>());
  }
  EXPECT_FALSE(scores.empty()) << "an empty object is an error there";
  return scores;
}

// parseFeedback and the view: every stage is there, holds objects alone, and shows each key.
void expect_stages_are_shown(const std::vector<std::string>& lines) {
  ASSERT_GE(lines.size(), 2);
  const nlohmann::json feedback = parsed(lines[lines.size() - 2]);
  ASSERT_TRUE(feedback.is_object());
  EXPECT_EQ(feedback["_presentation"], "semantic");
  EXPECT_GE(feedback["stages"].size(), 1);
  for (const nlohmann::json& stage : feedback["stages"]) {
    const nlohmann::json& cases = feedback[stage.get<std::string>()];
    ASSERT_TRUE(cases.is_object());
    for (const auto& [name, test] : cases.items()) {
      ASSERT_TRUE(test.is_object());
      EXPECT_FALSE(name.empty() || name.front() == '_') << name;
      EXPECT_TRUE(test["passed"].is_boolean());
      EXPECT_TRUE(test.value("hint", nlohmann::json("")).is_string());
    }
  }
}

TEST(AutolabTest, ScoresAreOfTheObjectivesByTitle) {
  const auto scores = scores_as_autolab_reads(lines_of_export(examples::masked_too_late()));
  EXPECT_EQ(scores.size(), 5);
  EXPECT_EQ(scores.at("shapes"), 7);
  EXPECT_EQ(scores.at("stable softmax"), 0);
  EXPECT_EQ(scores.at("scaling"), 18);
}

TEST(AutolabTest, OneProblemHasAllPointsUnderTheNameThatIsAsked) {
  for (const std::string name : {"Code", "Q1: softmax", "attn::mask", "Köpfe (2)", "a\"b\\c"}) {
    ExportOptions options;
    options.column = name;
    const auto scores =
        scores_as_autolab_reads(lines_of_export(examples::masked_too_late(), options));
    EXPECT_EQ(scores.size(), 1);
    ASSERT_TRUE(scores.contains(name)) << name;
    EXPECT_EQ(scores.at(name), 25);
  }
}

TEST(AutolabTest, WhatNobodyCouldGradeStaysUngraded) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    for (const auto& [name, score] : scores_as_autolab_reads(lines_of_export(scorecard))) {
      EXPECT_EQ(score.has_value(), has_score(scorecard)) << name;
    }
  }
  for (const auto& [name, score] :
       scores_as_autolab_reads(lines_of_export(examples::not_built()))) {
    EXPECT_EQ(score, 0) << name;
  }
}

TEST(AutolabTest, StagesAreShownForEveryKindOfScorecardAndText) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    expect_stages_are_shown(lines_of_export(scorecard));
    for (const std::string& text : hostile_texts()) {
      const auto lines = lines_of_export(with_text_everywhere(scorecard, text));
      expect_stages_are_shown(lines);
      scores_as_autolab_reads(lines);
    }
  }
}

TEST(AutolabTest, TitlesThatAutolabKeepsForItselfAreStillShown) {
  for (const std::string title :
       {"stages", "_presentation", "_order", "Submission", "Q1: x", "é: x", "", "  x  "}) {
    Scorecard scorecard = examples::masked_too_late();
    scorecard.objectives[0].title = title;
    for (ScoredCheck& check : scorecard.checks) check.title = title;
    if (title.empty()) {
      EXPECT_THROW(autolab_export(scorecard, {}), UsageFault);
      continue;
    }
    const auto lines = lines_of_export(scorecard);
    expect_stages_are_shown(lines);
    const auto scores = scores_as_autolab_reads(lines);
    EXPECT_TRUE(scores.contains(title == "  x  " ? "x" : title)) << lines.back();
    const nlohmann::json feedback = parsed(lines[lines.size() - 2]);
    EXPECT_EQ(feedback["stages"].size(), 6);
  }
}

TEST(AutolabTest, HintsSayWhatIsWrong) {
  const auto lines = lines_of_export(examples::masked_too_late());
  const nlohmann::json feedback = parsed(lines[lines.size() - 2]);
  EXPECT_EQ(feedback["stable softmax"]["row sums"]["passed"], false);
  EXPECT_EQ(
      feedback["stable softmax"]["row sums"]["hint"],
      "Row 0 of the weights sums to 0.5 instead of 1. Do not clear weights after the softmax.");
  EXPECT_EQ(feedback["scaling"]["scaled logits"], nlohmann::json({{"passed", true}}));
  const auto broken = lines_of_export(examples::not_built());
  const nlohmann::json problem = parsed(broken[broken.size() - 2]);
  EXPECT_EQ(problem["Submission"]["The submission can be graded"]["hint"],
            "The submission does not compile. A semicolon is missing at the end of line 12.");
}

TEST(AutolabTest, WhatWasFoundBeforeTheEndIsShownAndNothingIsScored) {
  const auto lines = lines_of_export(examples::unfinished());
  for (const auto& [name, score] : scores_as_autolab_reads(lines)) EXPECT_FALSE(score) << name;
  const nlohmann::json feedback = parsed(lines[lines.size() - 2]);
  EXPECT_EQ(feedback["Submission"]["The submission can be graded"]["passed"], false);
  EXPECT_EQ(feedback["scaling"]["scaled logits"], nlohmann::json({{"passed", true}}));
  EXPECT_EQ(feedback["stable softmax"].size(), 1)
      << "what did not run has neither passed nor failed";
  EXPECT_EQ(feedback["stable softmax"]["row sums"]["passed"], false);
  EXPECT_FALSE(feedback.contains("assertions"));
  const std::string text = autolab_export(examples::unfinished(), {});
  EXPECT_NE(text.find("  Row 0 of the weights sums to 0.5 instead of 1.\n"), std::string::npos);
  EXPECT_NE(text.find("Not run: softmax.values, assertions.rows_sum_to_one\n"), std::string::npos);
}

TEST(AutolabTest, TheReportStandsBeforeTheTwoLinesAndNamesNoScorecard) {
  const std::string text = autolab_export(examples::masked_too_late(), {});
  EXPECT_NE(text.find("← first difference"), std::string::npos);
  EXPECT_EQ(text.find("replay"), std::string::npos);
}

TEST(AutolabTest, ObjectivesOfOneNameCannotBeToldApart) {
  Scorecard scorecard = examples::all_right();
  scorecard.objectives[1].title = scorecard.objectives[0].title;
  EXPECT_THROW(autolab_export(scorecard, {}), UsageFault);
  scorecard.objectives.clear();
  EXPECT_THROW(autolab_export(scorecard, {}), UsageFault);
}

TEST(AutolabTest, PointsThatAreNoNumbersAreRefused) {
  Scorecard scorecard = examples::all_right();
  scorecard.objectives[0].points = std::nan("");
  EXPECT_THROW(autolab_export(scorecard, {}), UsageFault);
}

}  // namespace
}  // namespace grader
