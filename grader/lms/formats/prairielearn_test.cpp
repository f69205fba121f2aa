#include "grader/lms/formats/prairielearn.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lms/formats/formats_fixture.hpp"

namespace grader {
namespace {

constexpr std::size_t kFileLimit = 1 << 20;

nlohmann::json results_of(const Scorecard& scorecard) {
  return parsed(prairielearn_export(scorecard, {}));
}

TEST(PrairieLearnTest, EveryKindOfScorecardHoldsToItsReadersRules) {
  std::vector<std::string> documents;
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    documents.push_back(prairielearn_export(scorecard, {}));
    for (const std::string& text : hostile_texts()) {
      documents.push_back(prairielearn_export(with_text_everywhere(scorecard, text), {}));
    }
  }
  expect_schema("prairielearn_results.schema.json", documents);
}

TEST(PrairieLearnTest, OnlyWhatWasCheckedIsGradable) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    const nlohmann::json results = results_of(scorecard);
    EXPECT_EQ(results["gradable"], scorecard.status == ScorecardStatus::graded);
    EXPECT_EQ(results.contains("score"), scorecard.status == ScorecardStatus::graded);
    EXPECT_EQ(results.contains("format_errors"), scorecard.status != ScorecardStatus::graded);
  }
  EXPECT_EQ(results_of(examples::not_built())["format_errors"],
            nlohmann::json::array({"The submission does not compile.",
                                   "A semicolon is missing at the end of line 12."}));
  EXPECT_EQ(results_of(examples::environment_error())["format_errors"][0],
            "Not graded: this machine could not do it. That costs no mark.");
}

TEST(PrairieLearnTest, TheScoreIsAFractionAndAllPointsAreOneItself) {
  EXPECT_EQ(results_of(examples::all_right())["score"], 1.0);
  EXPECT_DOUBLE_EQ(results_of(examples::masked_too_late())["score"].get<double>(), 25.0 / 70);
  Scorecard scorecard = examples::all_right();
  scorecard.score = scorecard.max_score * (1 + 1e-15);
  EXPECT_EQ(results_of(scorecard)["score"], 1.0);
  scorecard.max_score = 0;
  scorecard.score = 0;
  EXPECT_EQ(results_of(scorecard)["score"], 0.0);
}

TEST(PrairieLearnTest, PointsOutOfRangeAreRefused) {
  Scorecard scorecard = examples::all_right();
  for (const double score : {-1.0, 71.0, 1e300, std::nan(""), 1.0 / 0.0}) {
    scorecard.score = score;
    EXPECT_THROW(prairielearn_export(scorecard, {}), UsageFault) << score;
  }
}

TEST(PrairieLearnTest, EveryTestHasPoints) {
  const nlohmann::json results = results_of(examples::masked_too_late());
  ASSERT_EQ(results["tests"].size(), 8);
  double points = 0;
  for (const nlohmann::json& test : results["tests"]) points += test["points"].get<double>();
  EXPECT_DOUBLE_EQ(points, 25);
  const nlohmann::json& sums = results["tests"][5];
  EXPECT_EQ(sums["name"], "row sums");
  EXPECT_EQ(sums["message"], "Row 0 of the weights sums to 0.5 instead of 1.");
  EXPECT_NE(sums["output"].get<std::string>().find("smallest input"), std::string::npos);
  EXPECT_FALSE(results["tests"][2].contains("output")) << "passed";
}

TEST(PrairieLearnTest, WhatWasFoundBeforeTheEndIsShownAndWorthNothing) {
  const nlohmann::json results = results_of(examples::unfinished());
  EXPECT_EQ(results["gradable"], false);
  EXPECT_EQ(results["format_errors"][0], "Not graded to the end. That costs no mark.");
  ASSERT_EQ(results["tests"].size(), 8);
  for (const nlohmann::json& test : results["tests"]) {
    // PrairieLearn takes 0 of 0 for neither right nor wrong.
    EXPECT_EQ(test["points"], 0);
    EXPECT_EQ(test["max_points"], 0);
  }
  EXPECT_EQ(results["tests"][5]["message"], "Row 0 of the weights sums to 0.5 instead of 1.");
  EXPECT_EQ(results["tests"][6]["message"], "Not run: grading did not get to it.");
}

TEST(PrairieLearnTest, PlotsAndHeatmapsAreImages) {
  const nlohmann::json results = results_of(examples::with_figures());
  ASSERT_EQ(results["images"].size(), 2) << "a table is none";
  EXPECT_TRUE(
      results["images"][0]["label"].get<std::string>().starts_with("Variance of the logits"));
  EXPECT_FALSE(results_of(examples::all_right()).contains("images"));
}

TEST(PrairieLearnTest, WhatIsLargerThanAMebibyteLosesItsLongestTexts) {
  Scorecard scorecard = examples::all_right();
  // Bytes that JSON writes as six each.
  const std::string long_text(100'000, '\x01');
  scorecard.printed = long_text;
  for (ScoredCheck& check : scorecard.checks) {
    check.result.status = CheckStatus::failed;
    check.result.message = "É" + long_text;
  }
  const ScoredCheck last = scorecard.checks.back();
  while (scorecard.checks.size() < 200) scorecard.checks.push_back(last);
  scorecard.checks[1].result.message = "Short.";
  const std::string document = prairielearn_export(scorecard, {});
  EXPECT_LE(document.size(), kFileLimit);
  EXPECT_GT(document.size(), kFileLimit - (32 << 10)) << "no more is cut than has to be";
  EXPECT_TRUE(is_utf8(document));
  const nlohmann::json results = parsed(document);
  EXPECT_EQ(results["tests"].size(), 200);
  EXPECT_EQ(results["tests"][1]["message"], "Short.");
  EXPECT_NE(results["tests"][7]["output"].get<std::string>().find("Cut here: the results"),
            std::string::npos);
}

TEST(PrairieLearnTest, WhatDoesNotFitEvenWithoutTextsIsRefused) {
  Scorecard scorecard = examples::all_right();
  const ScoredCheck last = scorecard.checks.back();
  while (scorecard.checks.size() < 20'000) scorecard.checks.push_back(last);
  EXPECT_THROW(prairielearn_export(scorecard, {}), UsageFault);
}

}  // namespace
}  // namespace grader
