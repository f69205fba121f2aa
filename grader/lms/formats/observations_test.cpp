#include "grader/lms/formats/observations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

std::vector<nlohmann::json> observed(const Scorecard& scorecard,
                                     const ExportOptions& options = {}) {
  std::vector<nlohmann::json> all;
  for (const std::string& line : lines_of(observations_export(scorecard, options))) {
    all.push_back(parsed(line));
  }
  return all;
}

/// The lines as one document, for the schema.
std::string as_array(const std::string& lines) {
  std::string text;
  for (const std::string& line : lines_of(lines)) text += (text.empty() ? "" : ",\n") + line;
  return "[" + text + "]";
}

/// report.ts of Tyche: a property with a failed case has failed; one of whose cases a third gave
/// up, or were seen before, has a warning.
std::map<std::string, std::string> statuses_in_tyche(const std::vector<nlohmann::json>& lines) {
  struct Property {
    double cases = 0;
    double given_up = 0;
    bool has_failed = false;
  };
  std::map<std::string, Property> properties;
  for (const nlohmann::json& line : lines) {
    Property& property = properties[line["property"].get<std::string>()];
    if (line["type"] != "test_case") continue;
    ++property.cases;
    if (line["status"] == "gave_up") ++property.given_up;
    if (line["status"] == "failed") property.has_failed = true;
  }
  std::map<std::string, std::string> statuses;
  for (const auto& [name, property] : properties) {
    const bool warns = property.given_up / property.cases > 0.33;
    statuses[name] = property.has_failed ? "failure" : warns ? "warning" : "success";
  }
  return statuses;
}

TEST(ObservationsTest, EveryKindOfScorecardHoldsToBothSchemas) {
  std::vector<std::string> documents;
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    documents.push_back(as_array(observations_export(scorecard, {})));
    for (const std::string& text : hostile_texts()) {
      documents.push_back(as_array(observations_export(with_text_everywhere(scorecard, text), {})));
    }
  }
  expect_schema("observations.schema.json", documents);
}

TEST(ObservationsTest, TycheShowsEachCheckAsItEnded) {
  const auto statuses = statuses_in_tyche(observed(examples::masked_too_late()));
  EXPECT_EQ(statuses.size(), 8);
  EXPECT_EQ(statuses.at("softmax.row_sums"), "failure");
  EXPECT_EQ(statuses.at("scaling.logits"), "success");
  EXPECT_EQ(statuses.at("mask.future_weights"), "warning");
  EXPECT_EQ(statuses.at("assertions.rows_sum_to_one"), "failure");
  EXPECT_EQ(statuses_in_tyche(observed(examples::not_built())).at("submission"), "failure");
  EXPECT_EQ(statuses_in_tyche(observed(examples::environment_error())).at("submission"), "warning");
  EXPECT_EQ(statuses_in_tyche(observed(internal_error())).at("submission"), "warning");
}

TEST(ObservationsTest, TycheShowsWhatWasFoundBeforeTheEnd) {
  const auto statuses = statuses_in_tyche(observed(examples::unfinished()));
  EXPECT_EQ(statuses.at("submission"), "warning");
  EXPECT_EQ(statuses.at("softmax.row_sums"), "failure");
  EXPECT_EQ(statuses.at("scaling.logits"), "success");
  EXPECT_EQ(statuses.at("softmax.values"), "warning");
}

TEST(ObservationsTest, AFailedCheckHasItsInputsExactly) {
  for (const nlohmann::json& line : observed(examples::masked_too_late())) {
    if (line["property"] != "softmax.row_sums" || line["type"] != "test_case") continue;
    EXPECT_EQ(line["status_reason"], "Row 0 of the weights sums to 0.5 instead of 1.");
    EXPECT_EQ(line["arguments"]["Q"]["rows"], 2);
    EXPECT_TRUE(std::signbit(line["arguments"]["K"]["entries"][1][0].get<double>()));
    EXPECT_EQ(line["features"]["kind of input"], "normal");
    EXPECT_EQ(line["features"]["n"], 2);
    EXPECT_EQ(line["features"]["d_k"], 1);
    EXPECT_EQ(line["how_generated"], "shrunk in 7 steps");
    EXPECT_EQ(line["metadata"]["returned"]["weights"]["entries"][0][0], 0.5);
    EXPECT_EQ(line["representation"].get<std::string>().substr(0, 4), "Q = ");
    return;
  }
  FAIL() << "no line of it";
}

TEST(ObservationsTest, TheFirstFailingInputComesBeforeTheSmallest) {
  Scorecard scorecard = examples::masked_too_late();
  scorecard.checks[5].result.original->test_case.inputs[0].value = Matrix(9, 9, 0.25);
  std::vector<std::string> how;
  for (const nlohmann::json& line : observed(scorecard)) {
    if (line["property"] == "softmax.row_sums" && line["type"] == "test_case") {
      how.push_back(line["how_generated"]);
    }
  }
  EXPECT_EQ(how, (std::vector<std::string>{"tried first", "shrunk in 7 steps"}));
}

TEST(ObservationsTest, PassedChecksSayHowManyCasesOfWhichKind) {
  const auto lines = observed(examples::all_right());
  ASSERT_EQ(lines.size(), 8);
  EXPECT_EQ(lines[0]["type"], "info");
  const auto content = lines[0]["content"].get<std::string>();
  EXPECT_TRUE(
      content.starts_with("500 cases judged, 3 inputs that failed before, 40 more in searches.\n"))
      << content;
  EXPECT_NE(content.find("- equal rows: 60\n"), std::string::npos);
}

TEST(ObservationsTest, TheRunStartedBeforeTheScorecardWasWritten) {
  ExportOptions options;
  options.written_at = 1'700'000'000;
  EXPECT_EQ(observed(examples::all_right(), options)[0]["run_start"], 1'700'000'000 - 1.125);
  EXPECT_EQ(observed(examples::all_right())[0]["run_start"], 0);
}

TEST(ObservationsTest, ScoreOnlyTellsNoInputs) {
  const std::string lines =
      observations_export(redacted(examples::masked_too_late(), HintLevel::score_only), {});
  for (const char* secret : {"sums to 0.5", "\"seed\"", "replay", "entries", "equal rows"}) {
    EXPECT_EQ(lines.find(secret), std::string::npos) << secret;
  }
  EXPECT_EQ(
      statuses_in_tyche(observed(redacted(examples::masked_too_late(), HintLevel::score_only)))
          .at("softmax.row_sums"),
      "failure");
}

}  // namespace
}  // namespace grader
