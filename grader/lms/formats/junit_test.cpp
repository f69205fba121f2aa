#include "grader/lms/formats/junit.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

/// What Artemis gets out of each report.
std::vector<nlohmann::json> read_by_artemis(const std::vector<std::string>& reports) {
  const TemporaryDirectory folder;
  std::string command = "python3 " FORMATS "/artemis_reads.py";
  for (std::size_t index = 0; index < reports.size(); ++index) {
    const std::string file = (folder.path() / (std::to_string(index) + ".xml")).string();
    write_new(file, reports[index], "");
    command += " " + file;
  }
  const std::string out = (folder.path() / "read.txt").string();
  EXPECT_EQ(std::system((command + " > " + out).c_str()), 0);
  std::vector<nlohmann::json> all;
  for (const std::string& line : lines_of(read_file(out, std::size_t{1} << 28U))) {
    all.push_back(parsed(line));
  }
  EXPECT_EQ(all.size(), reports.size());
  return all;
}

TEST(JunitExportTest, TestsKeepTheirNamesWhateverHappened) {
  const auto all = read_by_artemis(
      {junit_export(examples::all_right(), {}), junit_export(examples::masked_too_late(), {}),
       junit_export(examples::not_built(), {}), junit_export(examples::refused(), {})});
  EXPECT_EQ(
      all[0]["passed"],
      nlohmann::json::array({"submission", "shapes.ledger", "shapes.results", "scaling.logits",
                             "mask.future_logits", "mask.future_weights", "softmax.row_sums",
                             "softmax.values", "assertions.rows_sum_to_one"}));
  EXPECT_EQ(all[1]["passed"],
            nlohmann::json::array({"submission", "shapes.results", "scaling.logits"}));
  EXPECT_EQ(all[1]["failed"].size(), 5) << "what could not be judged is skipped";
  EXPECT_TRUE(all[2]["failed"].contains("submission"));
  EXPECT_TRUE(all[3]["failed"].contains("submission"));
}

TEST(JunitExportTest, WhatWasFoundBeforeTheEndIsThereBesideTheError) {
  const auto all = read_by_artemis({junit_export(examples::unfinished(), {})});
  EXPECT_EQ(all[0]["passed"], nlohmann::json::array({"shapes.results", "scaling.logits"}));
  std::vector<std::string> failed;
  for (const auto& [name, message] : all[0]["failed"].items()) failed.push_back(name);
  EXPECT_EQ(failed, (std::vector<std::string>{"mask.future_logits", "shapes.ledger",
                                              "softmax.row_sums", "submission"}))
      << "what did not run is skipped";
}

TEST(JunitExportTest, AMessageShowsTheSmallestInputWithItsLines) {
  const auto all = read_by_artemis(
      {junit_export(examples::masked_too_late(), {}), junit_export(examples::not_built(), {})});
  const auto message = all[0]["failed"]["softmax.row_sums"].get<std::string>();
  EXPECT_TRUE(message.starts_with("Row 0 of the weights sums to 0.5 instead of 1.\n")) << message;
  EXPECT_NE(message.find("\n  smallest input (n = 2, d_k = 1, d_v = 1)\n"), std::string::npos);
  EXPECT_NE(message.find("\n  Hint:   Do not clear weights"), std::string::npos);
  const auto problem = all[1]["failed"]["submission"].get<std::string>();
  EXPECT_NE(problem.find("\nattention.cpp:12:31: error: expected ';'"), std::string::npos)
      << problem;
}

TEST(JunitExportTest, EveryKindOfScorecardAndTextIsXmlForEveryReader) {
  std::vector<std::string> reports;
  for (const Scorecard& scorecard : scorecards_of_every_kind()) {
    reports.push_back(junit_export(scorecard, {}));
    for (const std::string& text : hostile_texts()) {
      reports.push_back(junit_export(with_text_everywhere(scorecard, text), {}));
    }
  }
  for (const nlohmann::json& read : read_by_artemis(reports)) {
    EXPECT_GE(read["passed"].size() + read["failed"].size(), 1);
  }
}

}  // namespace
}  // namespace grader
