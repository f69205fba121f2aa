#include "grader/scorecard/redaction.hpp"

#include <gtest/gtest.h>

#include <string>

#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

bool tells(const Scorecard& scorecard, const std::string& text) {
  return scorecard_to_json(scorecard).find(text) != std::string::npos;
}

TEST(RedactionTest, FullHidesNothing) {
  const Scorecard scorecard = examples::masked_too_late();
  EXPECT_EQ(scorecard_to_json(redacted(scorecard, HintLevel::full)), scorecard_to_json(scorecard));
}

TEST(RedactionTest, HintsKeepMessagesButNoInputs) {
  for (const Scorecard& whole : {examples::masked_too_late(), examples::faulty()}) {
    const Scorecard shown = redacted(whole, HintLevel::hints);
    for (const std::string secret : {"\"inputs\"", "replay scorecard.json", "\"arguments\"",
                                     "debug: n = 3", "0.7071067811865475"}) {
      EXPECT_FALSE(tells(shown, secret)) << secret;
    }
    EXPECT_EQ(shown.score, whole.score);
  }
  const Scorecard shown = redacted(examples::masked_too_late(), HintLevel::hints);
  EXPECT_TRUE(tells(shown, "Row 0 of the weights sums to 0.5 instead of 1."));
  EXPECT_TRUE(tells(shown, "Do not clear weights after the softmax."));
  EXPECT_TRUE(tells(shown, "\"seed\": 2026"));
  EXPECT_EQ(shown.diagnosis.size(), 3U);
}

TEST(RedactionTest, ScoreOnlyTellsStatusesAndPointsAlone) {
  for (const Scorecard& whole : {examples::masked_too_late(), examples::faulty()}) {
    const Scorecard shown = redacted(whole, HintLevel::score_only);
    for (const std::string secret :
         {"\"inputs\"", "replay scorecard.json", "2026", "sums to 0.5", "not implemented yet",
          "Do not clear", "M02", "renormalise", "same call", "equal rows", "NaN in the weights",
          "attention.cpp\", \"line"}) {
      EXPECT_FALSE(tells(shown, secret)) << secret;
    }
    EXPECT_TRUE(tells(shown, "\"seed\": null"));
    EXPECT_TRUE(tells(shown, "\"softmax.row_sums\""));
    EXPECT_EQ(shown.score, whole.score);
  }
  EXPECT_TRUE(tells(redacted(examples::faulty(), HintLevel::score_only), "SIGSEGV"));
}

TEST(RedactionTest, DiagnosticsOfTheCompilerStay) {
  EXPECT_TRUE(tells(redacted(examples::not_built(), HintLevel::score_only), "expected ';'"));
}

TEST(RedactionTest, FiguresAreHiddenWithEverythingElseButTheScore) {
  EXPECT_EQ(redacted(examples::with_figures(), HintLevel::hints).figures.size(), 3U);
  EXPECT_TRUE(redacted(examples::with_figures(), HintLevel::score_only).figures.empty());
}

}  // namespace
}  // namespace grader
