// `export` of one scorecard, as people and the scripts of platforms use it: the program itself, on
// the toy assignment.
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

class ExportTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    ASSERT_EQ(grade({wrong_, "--out", "out", "--quiet"}).exit_code, 0);
  }

  /// The scorecard of the graded submission with other words in it.
  void change_scorecard(const std::string& from, const std::string& to) const {
    const fs::path file = folder_.path() / "out/scorecard.json";
    std::string text = read_file(file, kFileLimit);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    write("out/scorecard.json", text.replace(place, from.size(), to));
  }
};

TEST_F(ExportTest, EveryFormatOfOneScorecardGoesToStdout) {
  struct Sample {
    const char* format;
    const char* start;
    const char* part;
  };
  for (const Sample& sample :
       {Sample{"autolab", "mean.cpp", "{\"scores\": {\"value\": 0.0, \"symmetry\": "},
        {"github-classroom", "MEANVALUE_RESULTS=", "ATTENTION_GRADER_RUNNERS=meanValue,meanOrder"},
        {"gradescope", "{", "\"max_score\": 7"},
        {"junit", "<?xml", "name=\"mean.value\""},
        {"observations", "{\"type\":\"info\"", "\"property\":\"mean.value\""},
        {"prairielearn", "{", "\"gradable\": true"}}) {
    const Ending result = run({"export", sample.format, "out/scorecard.json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "") << sample.format;
    EXPECT_TRUE(result.out.starts_with(sample.start)) << result.out.substr(0, 300);
    EXPECT_NE(result.out.find(sample.part), std::string::npos) << result.out;
  }
}

TEST_F(ExportTest, AFileOrAFolderTakesTheResult) {
  EXPECT_EQ(run({"export", "gradescope", "out/scorecard.json", "--out", "new/results.json"}).out,
            "");
  const std::string named = read_file(folder_.path() / "new/results.json", kFileLimit);
  fs::create_directory(folder_.path() / "results");
  run({"export", "gradescope", "out/scorecard.json", "--out", "results"});
  EXPECT_EQ(read_file(folder_.path() / "results/results.json", kFileLimit), named);
  EXPECT_EQ(nlohmann::json::parse(named)["score"], scorecard("out")["score"]);
}

TEST_F(ExportTest, AllPointsCanBeOneProblem) {
  const Ending result =
      run({"export", "autolab", "out/scorecard.json", "--column", "Q1: the mean"});
  EXPECT_TRUE(result.out.ends_with("{\"scores\": {\"Q1\\u003a the mean\": 0.0}}\n") ||
              result.out.ends_with("{\"scores\": {\"Q1\\u003a the mean\": 3.0}}\n"))
      << result.out;
}

TEST_F(ExportTest, GradescopeMayShowTheChecksLater) {
  const Ending result =
      run({"export", "gradescope", "out/scorecard.json", "--visibility", "after_published"});
  EXPECT_NE(result.out.find("\"visibility\": \"after_published\""), std::string::npos);
  expect_sentence(run({"export", "gradescope", "out/scorecard.json", "--visibility", "never"}), 1,
                  "never");
}

TEST_F(ExportTest, OptionsThatAFormatDoesNotReadAreRefused) {
  const Words given{"export", "prairielearn", "out/scorecard.json"};
  for (const Words& more : {Words{"--visibility", "hidden"}, Words{"--column", "Code"},
                            Words{"--worksheet", "grades.csv"}}) {
    Words words = given;
    words.insert(words.end(), more.begin(), more.end());
    expect_sentence(run(words), 1, "has no use for " + more.front());
  }
  expect_sentence(run({"export", "csv", "results", "--worksheet", "grades.csv"}), 1,
                  "has no use for --worksheet");
  expect_sentence(run({"export", "lti", "results", "--column", "Code"}), 1,
                  "has no use for --column");
}

TEST_F(ExportTest, ALowerHintLevelTellsLess) {
  const Ending result =
      run({"export", "prairielearn", "out/scorecard.json", "--hint-level", "score_only"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("smallest input"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"Failed.\""), std::string::npos) << result.out;
}

TEST_F(ExportTest, WhatNobodyCouldGradeIsExportedWithoutAScoreAndSaid) {
  auto json =
      nlohmann::ordered_json::parse(read_file(folder_.path() / "out/scorecard.json", kFileLimit));
  json["status"] = "environment_error";
  json["error"] = {{"message", "The disk is full."}, {"hint", "Free it."}};
  json["score"] = nullptr;
  write("out/scorecard.json", json.dump());
  const Ending result = run({"export", "gradescope", "out/scorecard.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(nlohmann::json::parse(result.out).contains("score"));
  EXPECT_NE(result.err.find("holds no score: The disk is full."), std::string::npos) << result.err;
  EXPECT_TRUE(run({"export", "autolab", "out/scorecard.json"})
                  .out.ends_with("{\"scores\": {\"value\": null, \"symmetry\": null}}\n"));
}

TEST_F(ExportTest, ScorecardsThatCannotBeReadAreNamed) {
  expect_sentence(run({"export", "gradescope", "nowhere.json"}), 1, "nowhere.json");
  expect_sentence(run({"export", "gradescope", write("a.json", "[1, 2]").string()}), 1,
                  "not a scorecard");
  expect_sentence(run({"export", "grades", "out/scorecard.json"}), 1, "grades");
  expect_sentence(run({"export", "csv", "out/scorecard.json"}), 1, "is an export of a whole class");
  change_scorecard("\"schema_version\": 1", "\"schema_version\": 2");
  expect_sentence(run({"export", "gradescope", "out/scorecard.json"}), 1, "schema version 2");
}

TEST_F(ExportTest, EachStudentOfABatchHasAFolder) {
  write("class/ada.cpp", read_file(right_, kFileLimit));
  write("class/bob.cpp", "this is no C++\n");
  ASSERT_EQ(run({"batch", "class", "--assignment", TOY, "--out", "results", "--quiet"}).exit_code,
            0);
  const Ending result = run({"export", "prairielearn", "results", "--out", "exported"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto read = [&](const std::string& student) {
    return nlohmann::json::parse(
        read_file(folder_.path() / "exported" / student / "results.json", kFileLimit));
  };
  EXPECT_EQ(read("ada")["score"], 1.0);
  EXPECT_EQ(read("bob")["gradable"], false);
  expect_sentence(run({"export", "prairielearn", "results"}), 1, "more than one file");
}

}  // namespace
}  // namespace grader
