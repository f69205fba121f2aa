#include "grader/lms/formats/github_classroom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

std::string decoded(const std::string& text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    const std::size_t value = kLetters.find(letter);
    EXPECT_NE(value, std::string::npos) << letter;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
  }
  return bytes;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  });
  return text;
}

/// The results of all runners, found as the reporter's main.js finds them.
std::vector<nlohmann::json> results_as_the_reporter_reads(const std::string& lines) {
  std::map<std::string, std::string> environment;
  for (const std::string& line : lines_of(lines)) {
    const std::size_t equals = line.find('=');
    EXPECT_NE(equals, std::string::npos) << line;
    EXPECT_LT(line.size(), 128U << 10U) << "the kernel takes no longer variable";
    EXPECT_TRUE(environment.emplace(line.substr(0, equals), line.substr(equals + 1)).second);
  }
  const std::string runners = environment["ATTENTION_GRADER_RUNNERS"];
  EXPECT_TRUE(std::regex_match(runners, std::regex("([a-zA-Z0-9]+,)*[a-zA-Z0-9]+"))) << runners;
  std::vector<nlohmann::json> results;
  std::string rest = runners + ",";
  for (std::size_t comma = 0; (comma = rest.find(',')) != std::string::npos;) {
    const std::string name = upper_case(rest.substr(0, comma)) + "_RESULTS";
    EXPECT_TRUE(environment.contains(name)) << name;
    results.push_back(parsed(decoded(environment[name])));
    rest.erase(0, comma + 1);
  }
  EXPECT_EQ(results.size() + 1, environment.size()) << "a variable that nobody reads";
  return results;
}

struct Totals {
  double table = 0;      // what the reporter prints
  double classroom = 0;  // what it sends
  double most_in_table = 0;
  double most_sent = 0;
  std::string conclusion = "pass";
};

Totals totals_of(const std::vector<nlohmann::json>& all) {
  Totals totals;
  for (const nlohmann::json& results : all) {
    const auto most = results["max_score"].get<double>();
    double passed = 0;
    double sum = 0;
    for (const nlohmann::json& test : results["tests"]) {
      passed += test["status"] == "pass" ? 1 : 0;
      sum += test["score"].get<double>();
    }
    totals.table += passed / static_cast<double>(results["tests"].size()) * most;
    totals.most_in_table += most;
    if (results["status"] == "fail") totals.conclusion = "fail";
    if (results["status"] == "error" && totals.conclusion == "pass") totals.conclusion = "error";
    if (most == 0) continue;
    totals.classroom += sum;
    totals.most_sent += most;
  }
  return totals;
}

Totals totals_of(const Scorecard& scorecard) {
  return totals_of(results_as_the_reporter_reads(github_classroom_export(scorecard, {})));
}

/// What the reporter prints of a test, its own lines around it.
std::string printed_of(const nlohmann::json& test) {
  std::string text = "X " + test["name"].get<std::string>() + "\n";
  if (test["status"] == "error") text = "Error: " + test["message"].get<std::string>() + "\n";
  const auto code = test["test_code"].get<std::string>();
  return code.empty() ? text : text + "Test code:\n" + code + "\n";
}

void expect_no_command(const std::string& printed) {
  EXPECT_EQ(printed.find("##["), std::string::npos) << printed;
  for (const std::string& line : lines_of(printed)) {
    const std::size_t first = line.find_first_not_of(" \t\r\v\f");
    EXPECT_FALSE(first != std::string::npos && line.substr(first).starts_with("::")) << line;
  }
}

TEST(GithubClassroomTest, BothTotalsAreTheScorecards) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    if (!has_score(scorecard)) continue;
    const Totals totals = totals_of(scorecard);
    EXPECT_DOUBLE_EQ(totals.table, scorecard.score);
    EXPECT_DOUBLE_EQ(totals.classroom, scorecard.score);
    EXPECT_DOUBLE_EQ(totals.most_in_table, scorecard.max_score);
    EXPECT_DOUBLE_EQ(totals.most_sent, scorecard.max_score);
  }
}

TEST(GithubClassroomTest, BothTotalsAgreeForAnyPoints) {
  std::mt19937_64 random(2026);
  std::uniform_real_distribution<double> draw(0, 1);
  for (int round = 0; round < 200; ++round) {
    Scorecard scorecard = examples::faulty();
    double score = 0;
    double most = 0;
    for (ScoredCheck& check : scorecard.checks) {
      check.max_points = draw(random) < 0.2 ? 0 : std::round(100 * draw(random)) / 4;
      const double share = draw(random);
      check.points = check.max_points * (share < 0.3 ? 0 : share > 0.7 ? 1 : share);
      score += check.points;
      most += check.max_points;
    }
    const Totals totals = totals_of(scorecard);
    EXPECT_NEAR(totals.table, score, 1e-9);
    EXPECT_NEAR(totals.classroom, score, 1e-9);
    EXPECT_NEAR(totals.most_sent, most, 1e-9);
  }
}

TEST(GithubClassroomTest, NothingIsSentOfWhatNobodyCouldGrade) {
  for (const Scorecard& scorecard : {examples::environment_error(), internal_error()}) {
    const Totals totals = totals_of(scorecard);
    EXPECT_EQ(totals.most_sent, 0) << "a reporter without most points sends nothing";
    EXPECT_EQ(totals.table, 0);
    EXPECT_EQ(totals.conclusion, "error");
  }
  EXPECT_EQ(totals_of(examples::not_built()).conclusion, "fail");
  EXPECT_EQ(totals_of(examples::not_built()).most_sent, 70);
  EXPECT_EQ(totals_of(examples::all_right()).conclusion, "pass");
}

TEST(GithubClassroomTest, WhatWasFoundBeforeTheEndIsShownAndNotSent) {
  const Totals totals = totals_of(examples::unfinished());
  EXPECT_EQ(totals.most_sent, 0);
  EXPECT_EQ(totals.table, 0);
  const auto all =
      results_as_the_reporter_reads(github_classroom_export(examples::unfinished(), {}));
  std::vector<std::string> shown;
  for (const nlohmann::json& results : all) {
    shown.push_back(results["status"].get<std::string>() + " " +
                    results["tests"][0]["name"].get<std::string>());
  }
  EXPECT_EQ(shown, (std::vector<std::string>{
                       "error The submission can be graded", "fail shapes.ledger: shape ledger",
                       "pass shapes.results: result shapes", "pass scaling.logits: scaled logits",
                       "fail mask.future_logits: the mask acts on the logits",
                       "fail mask.future_weights: zero future weights",
                       "fail softmax.row_sums: row sums"}));
}

TEST(GithubClassroomTest, RunnersAreNamedAfterTheirChecks) {
  const std::string lines = github_classroom_export(examples::all_right(), {});
  EXPECT_NE(lines.find("ATTENTION_GRADER_RUNNERS=shapesLedger,shapesResults,scalingLogits,"),
            std::string::npos)
      << lines;
  EXPECT_TRUE(lines.starts_with("SHAPESLEDGER_RESULTS="));
}

TEST(GithubClassroomTest, ChecksOfSimilarNamesStayApart) {
  Scorecard scorecard = examples::all_right();
  for (const char* id : {"a.b", "a_b", "A.B", "ab", "…", "1"}) {
    scorecard.checks.push_back(scorecard.checks[0]);
    scorecard.checks.back().result.id = id;
  }
  EXPECT_EQ(results_as_the_reporter_reads(github_classroom_export(scorecard, {})).size(), 14);
}

TEST(GithubClassroomTest, WhatIsPrintedIsNoCommandOfTheRunner) {
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    for (const std::string& text : hostile_texts()) {
      const std::string lines = github_classroom_export(with_text_everywhere(scorecard, text), {});
      for (const nlohmann::json& results : results_as_the_reporter_reads(lines)) {
        for (const nlohmann::json& test : results["tests"]) expect_no_command(printed_of(test));
      }
    }
  }
}

TEST(GithubClassroomTest, WhatFailsIsToldInTheFieldThatIsPrinted) {
  const auto all =
      results_as_the_reporter_reads(github_classroom_export(examples::masked_too_late(), {}));
  const nlohmann::json& test = all[5]["tests"][0];
  EXPECT_EQ(test["name"], "softmax.row_sums: row sums");
  EXPECT_EQ(test["status"], "fail");
  EXPECT_EQ(test["line_no"], 0);
  EXPECT_EQ(test["message"], "Row 0 of the weights sums to 0.5 instead of 1.");
  EXPECT_NE(test["test_code"].get<std::string>().find("|   Hint:   Do not clear weights"),
            std::string::npos)
      << test["test_code"];
  EXPECT_EQ(all[2]["tests"][0]["test_code"], "") << "passed";
}

TEST(GithubClassroomTest, LongTextsStayWithinWhatAProcessTakes) {
  Scorecard scorecard = examples::all_right();
  for (ScoredCheck& check : scorecard.checks) {
    check.points = 0;
    check.result.status = CheckStatus::failed;
    check.result.message = std::string(100'000, '"');
  }
  const ScoredCheck last = scorecard.checks.back();
  while (scorecard.checks.size() < 300) scorecard.checks.push_back(last);
  EXPECT_LT(github_classroom_export(scorecard, {}).size(), 2U << 20U);
}

TEST(GithubClassroomTest, ImpossiblePointsAndNoChecksAreRefused) {
  Scorecard scorecard = examples::all_right();
  for (const double points : {-1.0, 5.5, std::nan("")}) {
    scorecard.checks[0].points = points;
    EXPECT_THROW(github_classroom_export(scorecard, {}), UsageFault) << points;
  }
  scorecard.checks.clear();
  EXPECT_THROW(github_classroom_export(scorecard, {}), UsageFault);
}

}  // namespace
}  // namespace grader
