#include "grader/report/formats/junit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {
namespace {

std::string report_of(const Scorecard& scorecard) {
  return junit_report(scorecard, {"attention-grader", "attention.grade/scorecard.json", ""});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Every element is closed in order, attributes are quoted, no other markup is there.
void expect_well_formed(const std::string& document) {
  std::vector<std::string> open;
  std::size_t place = document.find("?>") + 2;
  while ((place = document.find('<', place)) != std::string::npos) {
    const std::size_t end = document.find('>', place);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = document.substr(place + 1, end - place - 1);
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty()) << tag;
      EXPECT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    place = end;
  }
  EXPECT_TRUE(open.empty());
}

TEST(JunitReportTest, EveryKindOfScorecardIsWellFormed) {
  for (const Scorecard& scorecard :
       {examples::all_right(), examples::masked_too_late(), examples::faulty(),
        examples::not_built(), examples::refused(), examples::environment_error(),
        examples::unfinished(), examples::hostile()}) {
    expect_well_formed(report_of(scorecard));
  }
}

TEST(JunitReportTest, ChecksAreTestsOfOneSuiteAndObjectivesTheirClasses) {
  const std::string report = report_of(examples::masked_too_late());
  EXPECT_TRUE(has(report, "tests=\"9\" failures=\"5\" errors=\"0\" skipped=\"1\">")) << report;
  EXPECT_TRUE(has(report, "<testcase classname=\"submission\" name=\"submission\">"));
  EXPECT_EQ(report.find("<testsuite "), report.rfind("<testsuite "));
  EXPECT_TRUE(has(report, "<testcase classname=\"scaling\" name=\"scaling.logits\">"));
  EXPECT_TRUE(
      has(report, "<failure message=\"Row 0 of the weights sums to 0.5 instead of 1.&#10;"));
  EXPECT_TRUE(has(report, "type=\"failed\">"));
  EXPECT_TRUE(has(report, "<skipped message=\"Could not be judged: the weights are not finite."));
}

TEST(JunitReportTest, FaultsOfTheMachineAreErrors) {
  EXPECT_TRUE(has(report_of(examples::environment_error()), "failures=\"0\" errors=\"1\""));
  EXPECT_TRUE(has(report_of(examples::not_built()), "failures=\"1\" errors=\"0\""));
  EXPECT_TRUE(has(report_of(examples::faulty()), "type=\"crashed\""));
}

TEST(JunitReportTest, TextsOfASubmissionStayText) {
  const std::string attack = "\"/><testcase name='x'/><!-- ]]> &lt; \xef\xbf\xbf";
  Scorecard scorecard = examples::masked_too_late();
  scorecard.files[0].name = attack;
  for (ScoredCheck& check : scorecard.checks) check.result.message = attack;
  const std::string report = report_of(scorecard);
  expect_well_formed(report);
  EXPECT_FALSE(has(report, "<testcase name="));
  EXPECT_FALSE(has(report, "<!--"));
  EXPECT_FALSE(has(report, "]]>"));
  EXPECT_FALSE(has(report, "\xef\xbf\xbf")) << "XML has no such character";
  const std::string hostile = report_of(examples::hostile());
  EXPECT_EQ(plain_text(hostile, hostile.size()), hostile);
}

}  // namespace
}  // namespace grader
