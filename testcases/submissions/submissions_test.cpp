// Grades every bundled submission with the built program and holds it to its expect.json.
#include <gtest/gtest.h>

#include "testcases/submissions/bundled.hpp"

namespace {

using bundled::Graded;
using bundled::Submission;
using nlohmann::json;

std::set<std::string> names(const json& array) { return array.get<std::set<std::string>>(); }

std::string list(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text.empty() ? " nothing" : text;
}

bool contains(const json& texts, const std::string& part) {
  for (const auto& text : texts) {
    if (text.get<std::string>().find(part) != std::string::npos) return true;
  }
  return false;
}

void expect_points_add_up(const json& scorecard, const std::set<std::string>& lost) {
  double score = 0;
  for (const auto& check : scorecard.at("checks")) {
    const double points = check.at("points").get<double>();
    const bool is_lost = lost.contains(check.at("id").get<std::string>());
    EXPECT_EQ(points, is_lost ? 0 : check.at("max_points").get<double>()) << check.at("id");
    score += points;
  }
  EXPECT_NEAR(scorecard.at("score").get<double>(), score, 1e-9);
}

/// Every check that did not pass says why, in words and with an input where it has one.
void expect_reasons(const json& scorecard) {
  for (const auto& check : scorecard.at("checks")) {
    if (check.at("status") == "passed") continue;
    EXPECT_FALSE(check.at("message").get<std::string>().empty()) << check.at("id");
  }
}

void expect_fault(const json& scorecard, const std::string& kind) {
  for (const auto& check : scorecard.at("checks")) {
    if (!check.contains("fault") || check["fault"].is_null()) continue;
    if (check["fault"].at("kind").get<std::string>().find(kind) != std::string::npos) return;
  }
  ADD_FAILURE() << "no check reports the fault \"" << kind << '"';
}

/// The diagnosis names the misconception, or a group that it cannot be told from.
void expect_named(const json& scorecard, const std::string& id) {
  for (const auto& diagnosis : scorecard.at("diagnosis")) {
    if (diagnosis.at("id") == id || names(diagnosis.at("indistinguishable")).contains(id)) return;
  }
  ADD_FAILURE() << id << " is not named: " << scorecard.at("diagnosis");
}

/// What crashes, hangs or throws is told by the checks; the diagnosis needs answers.
bool has_answers(const Submission& submission) {
  return submission.verdict == "wrong_answer" || submission.verdict == "wrong_shapes" ||
         submission.verdict == "not_a_number";
}

// Sanitizers look for faults of the grader, for which fewer cases do; each takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
const std::vector<std::string> kArguments = {"--cases", "250"};
#else
const std::vector<std::string> kArguments;
#endif

/// The line of a crash or of a loop, which is looked for where namespaces hide the machine.
void expect_line(const json& scorecard, const json& place) {
  const std::string level = scorecard.at("grader").at("isolation").at("level");
  if (level != "L4" && level != "L3") return;
  for (const auto& check : scorecard.at("checks")) {
    if (!check.contains("fault") || check["fault"].is_null()) continue;
    const json found = {{"file", check["fault"]["file"]}, {"line", check["fault"]["line"]}};
    if (found == place) return;
  }
  ADD_FAILURE() << "no check reports a fault at " << place;
}

class BundledSubmission : public testing::TestWithParam<Submission> {};

TEST_P(BundledSubmission, IsGradedAsExpected) {
  const json& expected = GetParam().expected;
  const Graded graded = bundled::grade(GetParam(), kArguments);
  ASSERT_EQ(graded.exit_code, 0) << graded.printed;
  ASSERT_TRUE(graded.scorecard.is_object()) << graded.printed;
  const json& scorecard = graded.scorecard;
  ASSERT_EQ(scorecard.at("status"), expected.at("status")) << graded.printed;

  for (const auto& part : expected.value("notices", json::array())) {
    EXPECT_TRUE(contains(scorecard.at("notices"), part.get<std::string>()))
        << "no notice says " << part << ": " << scorecard.at("notices");
  }
  if (expected.contains("diagnostics")) {
    const json& build = scorecard.at("build");
    EXPECT_TRUE(contains(json{build.at("diagnostics"), build.at("hint")},
                         expected["diagnostics"].get<std::string>()))
        << build;
  }
  if (expected.at("status") != "graded") {
    EXPECT_EQ(scorecard.at("score"), 0);
    return;
  }

  const std::set<std::string> lost = bundled::lost_checks(scorecard);
  EXPECT_EQ(lost, names(expected.at("lost")))
      << "lost:" << list(lost) << "\nexpected:" << list(names(expected.at("lost"))) << '\n'
      << graded.printed;
  expect_points_add_up(scorecard, lost);
  expect_reasons(scorecard);
  if (expected.contains("misconception") && has_answers(GetParam())) {
    expect_named(scorecard, expected["misconception"].get<std::string>());
  }
  if (expected.contains("fault")) expect_fault(scorecard, expected["fault"].get<std::string>());
  if (expected.contains("place")) expect_line(scorecard, expected["place"]);
}

std::string test_name(const testing::TestParamInfo<Submission>& info) {
  return info.param.verdict + "__" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(All, BundledSubmission, testing::ValuesIn(bundled::submissions()),
                         test_name);

TEST(BundledSubmissionsTest, CoverEveryCheckAndEveryVerdict) {
  std::set<std::string> lost_by_one_idea;
  std::set<std::string> lost_by_template;
  std::set<std::string> verdicts;
  std::ptrdiff_t accepted = 0;
  std::ptrdiff_t wrong = 0;
  for (const Submission& submission : bundled::submissions()) {
    const std::set<std::string> lost = names(submission.expected.at("lost"));
    verdicts.insert(submission.verdict);
    accepted += submission.verdict == "accepted" ? 1 : 0;
    wrong += submission.verdict == "wrong_answer" ? 1 : 0;
    if (submission.verdict == "wrong_answer") lost_by_one_idea.insert(lost.begin(), lost.end());
    if (submission.name == "unfilled_template") lost_by_template = lost;
    const bool may_lose_nothing =
        submission.verdict == "accepted" || submission.expected.at("status") != "graded";
    EXPECT_EQ(lost.empty(), may_lose_nothing) << submission.verdict << '/' << submission.name;
  }
  EXPECT_GE(accepted, 14);
  EXPECT_GE(wrong, 32);
  EXPECT_EQ(verdicts.size(), 10U);
  EXPECT_EQ(lost_by_one_idea, lost_by_template) << "a check that no wrong answer fails";
}

}  // namespace
