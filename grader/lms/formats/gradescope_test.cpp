#include "grader/lms/formats/gradescope.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

nlohmann::json results_of(const Scorecard& scorecard, const ExportOptions& options = {}) {
  return parsed(gradescope_export(scorecard, options));
}

// Gradescope's rule: the score at the top, else the sum of the tests', else the autograder failed.
bool has_gradescope_score(const nlohmann::json& results) {
  if (results.contains("score")) return true;
  if (!results.contains("tests")) return false;
  for (const nlohmann::json& test : results["tests"]) {
    if (test.contains("score")) return true;
  }
  return false;
}

TEST(GradescopeTest, EveryKindOfScorecardHoldsToTheSpecification) {
  std::vector<std::string> documents;
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    documents.push_back(gradescope_export(scorecard, {}));
    for (const std::string& text : hostile_texts()) {
      documents.push_back(gradescope_export(with_text_everywhere(scorecard, text), {}));
    }
  }
  expect_schema("gradescope_results.schema.json", documents);
}

TEST(GradescopeTest, WhatNobodyCouldGradeHasNoScoreInsteadOfAZero) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    const nlohmann::json results = results_of(scorecard);
    EXPECT_EQ(has_gradescope_score(results), has_score(scorecard)) << results["output"];
    if (!has_score(scorecard)) {
      EXPECT_NE(results["output"].get<std::string>().find("costs no mark"), std::string::npos);
      EXPECT_FALSE(results.contains("tests"));
    }
  }
}

TEST(GradescopeTest, TheMostPointsAddUpWhateverHappened) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    if (!has_score(scorecard)) continue;
    const nlohmann::json results = results_of(scorecard);
    double most = 0;
    double points = 0;
    for (const nlohmann::json& test : results["tests"]) {
      most += test.value("max_score", 0.0);
      points += test.value("score", 0.0);
    }
    EXPECT_DOUBLE_EQ(most, scorecard.max_score);
    EXPECT_DOUBLE_EQ(points, results["score"].get<double>());
    EXPECT_DOUBLE_EQ(points, scorecard.score);
  }
}

TEST(GradescopeTest, TestsAreNumberedByObjectiveAndSayWhatIsWrong) {
  const nlohmann::json results = results_of(examples::masked_too_late());
  ASSERT_EQ(results["tests"].size(), 9);
  const nlohmann::json& first = results["tests"][0];
  EXPECT_EQ(first["number"], "0");
  EXPECT_EQ(first["status"], "passed");
  EXPECT_FALSE(first.contains("score"));
  const nlohmann::json& sums = results["tests"][6];
  EXPECT_EQ(sums["number"], "4.1");
  EXPECT_EQ(sums["name"], "row sums");
  EXPECT_EQ(sums["score"], 0);
  EXPECT_EQ(sums["max_score"], 9);
  EXPECT_EQ(sums["status"], "failed");
  EXPECT_EQ(sums["tags"], nlohmann::json::array({"stable_softmax", "softmax.row_sums"}));
  EXPECT_EQ(sums["extra_data"]["replay"],
            "attention-grader replay scorecard.json softmax.row_sums");
  const auto output = sums["output"].get<std::string>();
  EXPECT_NE(output.find("Row 0 of the weights sums to 0.5 instead of 1."), std::string::npos);
  EXPECT_NE(output.find("← first difference"), std::string::npos);
  EXPECT_NE(output.find("Hint:   Do not clear weights"), std::string::npos);
  EXPECT_EQ(output.find("replay"), std::string::npos) << "there is no scorecard on Gradescope";
  EXPECT_NE(results["output"].get<std::string>().find("25 / 70 points"), std::string::npos);
  EXPECT_EQ(results["execution_time"], 1.125);
}

TEST(GradescopeTest, WhatCouldNotBeJudgedSaysWhy) {
  const nlohmann::json results = results_of(examples::masked_too_late());
  const nlohmann::json& blocked = results["tests"][5];
  EXPECT_EQ(blocked["status"], "failed");
  EXPECT_EQ(blocked["output"],
            "Could not be judged: the weights are not finite. Make softmax.row_sums pass first.\n");
  EXPECT_EQ(blocked["extra_data"]["blocked_by"], "softmax.row_sums");
}

TEST(GradescopeTest, WhatIsNotBuiltHasAZeroAndTheDiagnostics) {
  const nlohmann::json results = results_of(examples::not_built());
  EXPECT_EQ(results["score"], 0);
  const auto output = results["tests"][0]["output"].get<std::string>();
  EXPECT_NE(output.find("error: expected ';' before 'return'"), std::string::npos);
  EXPECT_NE(output.find("A semicolon is missing"), std::string::npos);
  EXPECT_EQ(results["tests"][1]["output"], "Not judged: The submission does not compile.\n");
}

TEST(GradescopeTest, ResultsOfLaterAreNotToldNow) {
  ExportOptions options;
  options.visibility = "after_due_date";
  const nlohmann::json results = results_of(examples::masked_too_late(), options);
  EXPECT_EQ(results["output"], "The submission was graded.\n");
  EXPECT_EQ(results["tests"][0]["visibility"], "visible");
  for (std::size_t index = 1; index < results["tests"].size(); ++index) {
    EXPECT_EQ(results["tests"][index]["visibility"], "after_due_date");
  }
  EXPECT_NE(results_of(examples::not_built(), options)["output"].get<std::string>().find("error:"),
            std::string::npos);
}

TEST(GradescopeTest, WhatWasFoundBeforeTheEndIsToldWhereNothingIsAddedUp) {
  const nlohmann::json results = results_of(examples::unfinished());
  EXPECT_FALSE(has_gradescope_score(results));
  const auto output = results["output"].get<std::string>();
  for (const char* part :
       {"Failed: shapes.ledger, mask.future_logits, softmax.row_sums\n",
        "Passed: shapes.results, scaling.logits\n", "Could not be judged: mask.future_weights\n",
        "Not run: softmax.values, assertions.rows_sum_to_one\n",
        "✗ softmax.row_sums   row sums\n  Row 0 of the weights sums to 0.5 instead of 1.\n"}) {
    EXPECT_NE(output.find(part), std::string::npos) << part << "\n" << output;
  }
  ExportOptions later;
  later.visibility = "after_due_date";
  const auto now = results_of(examples::unfinished(), later)["output"].get<std::string>();
  EXPECT_EQ(now.find("Failed:"), std::string::npos) << now;
  EXPECT_NE(now.find("Grading did not end"), std::string::npos) << now;
}

TEST(GradescopeTest, ScoreOnlyTellsNoSeedNoReplayAndNoMistake) {
  const std::string document =
      gradescope_export(redacted(examples::masked_too_late(), HintLevel::score_only), {});
  for (const char* secret : {"seed", "replay", "2026", "M02", "sums to 0.5", "Hint:", "−∞"}) {
    EXPECT_EQ(document.find(secret), std::string::npos) << secret;
  }
  EXPECT_NE(document.find("\"Failed.\\n\""), std::string::npos) << document;
}

TEST(GradescopeTest, PointsThatAreNoNumbersAreRefused) {
  Scorecard scorecard = examples::all_right();
  scorecard.checks[1].points = std::nan("");
  EXPECT_THROW(gradescope_export(scorecard, {}), UsageFault);
  scorecard = examples::all_right();
  scorecard.score = 1.0 / 0.0;
  EXPECT_THROW(gradescope_export(scorecard, {}), UsageFault);
}

}  // namespace
}  // namespace grader
