#include "grader/scorecard/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {
namespace {

std::vector<Scorecard> examples_of_every_kind() {
  return {examples::all_right(), examples::masked_too_late(), examples::faulty(),
          examples::not_built(), examples::refused(),         examples::environment_error(),
          examples::hostile(),   examples::with_figures(),    examples::unfinished()};
}

std::string fault_of(const std::string& document) {
  try {
    scorecard_from_json(document, "scorecard.json");
  } catch (const UsageFault& fault) {
    EXPECT_FALSE(fault.hint().empty());
    return fault.what();
  }
  return "";
}

std::string with(std::string document, const std::string& from, const std::string& to) {
  const std::size_t place = document.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return document.replace(place, from.size(), to);
}

TEST(ScorecardJsonTest, ReadsBackToTheSameDocument) {
  for (const Scorecard& scorecard : examples_of_every_kind()) {
    const std::string document = scorecard_to_json(scorecard);
    const Scorecard read = scorecard_from_json(document, "scorecard.json");
    if (document.find("\"cut\"") != std::string::npos) continue;  // returned values are shortened
    EXPECT_EQ(scorecard_to_json(read), document);
  }
}

TEST(ScorecardJsonTest, CasesBesidesTheSchedulesAreTold) {
  const Scorecard before = examples::all_right();
  ASSERT_FALSE(before.checks.empty());
  const Scorecard after = scorecard_from_json(scorecard_to_json(before), "example");
  EXPECT_EQ(after.checks[0].result.examples, 3);
  EXPECT_EQ(after.checks[0].result.searched, 40);
}

TEST(ScorecardJsonTest, CounterexampleInputsReadBackBitForBit) {
  for (const Scorecard& scorecard : examples_of_every_kind()) {
    const Scorecard read = scorecard_from_json(scorecard_to_json(scorecard), "scorecard.json");
    ASSERT_EQ(read.checks.size(), scorecard.checks.size());
    for (std::size_t index = 0; index < read.checks.size(); ++index) {
      const auto& written = scorecard.checks[index].result.minimal;
      const auto& again = read.checks[index].result.minimal;
      ASSERT_EQ(written.has_value(), again.has_value());
      if (!written) continue;
      EXPECT_TRUE(identical(written->test_case, again->test_case));
      for (std::size_t input = 0; input < written->test_case.inputs.size(); ++input) {
        EXPECT_EQ(written->test_case.inputs[input].dimensions,
                  again->test_case.inputs[input].dimensions);
        EXPECT_EQ(written->test_case.inputs[input].frozen, again->test_case.inputs[input].frozen);
      }
    }
  }
}

TEST(ScorecardJsonTest, NumbersThatJsonCannotSayAreWords) {
  const std::string document = scorecard_to_json(examples::hostile());
  EXPECT_NE(document.find("[-0.0, 5e-324, 1.7976931348623157e+308, 0.1, 0.3333333333333333, "
                          "9007199254740992.0, -1e+22, \"NaN\", \"Infinity\", \"-Infinity\"]"),
            std::string::npos);
}

TEST(ScorecardJsonTest, EveryStringIsPlainTextWhateverTheBytes) {
  const std::string document = scorecard_to_json(examples::hostile());
  EXPECT_EQ(plain_text(document, document.size()), document);
  EXPECT_EQ(document.find("\\u001b"), std::string::npos);
  EXPECT_LT(document.size(), 1U << 20U) << "returned values and printed text are cut";
}

TEST(ScorecardJsonTest, ScoreOfAnErrorIsNullNeverZero) {
  EXPECT_NE(scorecard_to_json(examples::environment_error()).find("\"score\": null"),
            std::string::npos);
  EXPECT_NE(scorecard_to_json(examples::not_built()).find("\"score\": 0,"), std::string::npos);
}

TEST(ScorecardJsonTest, WhatIsUnfinishedHasNoScoreAndNoVerdict) {
  const std::string document = scorecard_to_json(examples::unfinished());
  EXPECT_NE(document.find("\"unfinished\": true"), std::string::npos);
  EXPECT_NE(document.find("\"score\": null"), std::string::npos);
  EXPECT_EQ(fault_of(with(document, "\"environment_error\"", "\"graded\"")),
            "The scorecard is damaged: it is unfinished and has a verdict.");
  EXPECT_EQ(scorecard_to_json(examples::environment_error()).find("unfinished"), std::string::npos);
}

TEST(ScorecardJsonTest, RefusesWhatIsNotAScorecardInPlainWords) {
  const std::string document = scorecard_to_json(examples::masked_too_late());
  EXPECT_EQ(fault_of("hello"), "scorecard.json is not JSON: it ends or goes wrong at byte 1.");
  EXPECT_NE(fault_of("").find("scorecard.json is not JSON"), std::string::npos);
  EXPECT_EQ(fault_of("[1]"), "scorecard.json is JSON but not a scorecard.");
  EXPECT_EQ(fault_of("{}"), "scorecard.json is JSON but not a scorecard.");
  EXPECT_EQ(fault_of(with(document, "\"schema_version\": 1", "\"schema_version\": 2")),
            "scorecard.json has schema version 2; this grader reads version 1.");
  EXPECT_NE(fault_of(document.substr(0, document.size() / 2)).find("scorecard.json is not JSON"),
            std::string::npos);
}

TEST(ScorecardJsonTest, DepthWithoutEndIsRefusedAndNotWalked) {
  const std::string document = scorecard_to_json(examples::masked_too_late());
  const std::string deep = std::string(60'000, '[') + std::string(60'000, ']');
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"notices\": []", "\"notices\": " + deep},
        {"\"entries\": [", "\"entries\": [" + deep + ", "}}) {
    EXPECT_EQ(fault_of(with(document, from, to)),
              "scorecard.json is nested deeper than 100 levels.");
  }
}

TEST(ScorecardJsonTest, ResultsThatNoGradingHasAreRefused) {
  const std::string document = scorecard_to_json(examples::masked_too_late());
  const Scorecard sound = examples::masked_too_late();
  const auto number = [](double value) { return std::to_string(static_cast<int>(value)); };
  const std::string score = "\"score\": " + number(sound.score) + ",";
  const std::string most = "\"max_score\": " + number(sound.max_score) + ",";
  for (const std::string& edited : std::vector<std::string>{"790", "-79", "1e308", "-1", "\"NaN\"",
                                                            number(sound.score + 1), "null"}) {
    EXPECT_NE(fault_of(with(document, score, "\"score\": " + edited + ",")), "") << edited;
  }
  for (const std::string edited : {"0", "-1", "1e308", "\"Infinity\""}) {
    EXPECT_NE(fault_of(with(document, most, "\"max_score\": " + edited + ",")), "") << edited;
  }
  for (const double points : {-3.0, 1e308, 5.5, 7.5}) {
    Scorecard edited = sound;
    edited.checks[1].points = points;
    EXPECT_NE(fault_of(scorecard_to_json(edited)), "") << points;
    edited = sound;
    edited.objectives[0].points = points;
    EXPECT_NE(fault_of(scorecard_to_json(edited)), "") << points;
  }
  EXPECT_EQ(fault_of(with(document, score, score + " " + score)),
            "scorecard.json has \"score\" twice in one object.");
  EXPECT_EQ(fault_of(with(document, score, "\"score\": null,")),
            "The scorecard is damaged: score is not a number.");
  EXPECT_EQ(fault_of(with(scorecard_to_json(examples::environment_error()), "\"score\": null",
                          "\"score\": 0")),
            "The scorecard is damaged: nothing was graded, and there is a score.");
  Scorecard twice = sound;
  twice.checks.push_back(twice.checks.front());
  EXPECT_NE(fault_of(scorecard_to_json(twice)).find("is there twice"), std::string::npos);
}

TEST(ScorecardJsonTest, NamesTheDamagedPlace) {
  const std::string document = scorecard_to_json(examples::masked_too_late());
  EXPECT_EQ(fault_of(with(document, "\"status\": \"graded\"", "\"status\": \"great\"")),
            "The scorecard is damaged: status is not a known word.");
  EXPECT_EQ(fault_of(with(document, "\"max_points\": 5", "\"max_point\": 5")),
            "The scorecard is damaged: checks[0].max_points is not there.");
  EXPECT_EQ(fault_of(with(document, "\"rows\": 4", "\"rows\": 5")),
            "The scorecard is damaged: checks[3].counterexample.inputs[0].value is not a matrix "
            "with as many rows as it says.");
  EXPECT_EQ(fault_of(with(document, "\"kind\": \"matrix\"", "\"kind\": \"tensor\"")),
            "The scorecard is damaged: checks[3].counterexample.inputs[0].value is not of a known "
            "kind.");
}

TEST(ScorecardJsonTest, SchemaAcceptsEveryKindAndNothingElse) {
  const TemporaryDirectory directory;
  const auto check = [&](const std::vector<std::string>& documents) {
    std::string command = "python3 " CHECK_SCHEMA " " SCHEMA;
    for (std::size_t index = 0; index < documents.size(); ++index) {
      const auto file = directory.path() / (std::to_string(index) + ".json");
      write_atomically(file, documents[index]);
      command += " " + file.string();
    }
    return std::system(command.c_str());
  };
  std::vector<std::string> documents;
  for (const Scorecard& scorecard : examples_of_every_kind()) {
    documents.push_back(scorecard_to_json(scorecard));
  }
  EXPECT_EQ(check(documents), 0);
  const std::string& valid = documents[1];
  EXPECT_NE(check({with(valid, "\"notices\"", "\"extra\": 1, \"notices\"")}), 0);
  EXPECT_NE(check({with(valid, "\"witnessed\"", "\"witness\"")}), 0);
  EXPECT_NE(check({with(valid, "\"-Infinity\"", "null")}), 0);
  EXPECT_NE(check({with(documents[5], "\"score\": null", "\"score\": 0")}), 0);
  EXPECT_NE(check({with(documents.back(), "\"environment_error\"", "\"refused\"")}), 0);
}

}  // namespace
}  // namespace grader
