// The commands for whoever makes an assignment: validate, learn, list, selftest.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

TEST_F(CliTest, LearnedInputsAreTriedInEveryGradingFromThenOn) {
  const std::string assignment = (folder_.path() / "assignment").string();
  fs::copy(TOY, assignment, fs::copy_options::recursive);
  // Wrong on rows from 7.5 to 8.5 of three values: no random case is one.
  const fs::path rare = write("rare/mean.cpp", R"(
#include "toy/mean.hpp"
#include <numeric>
double toy::mean(const std::vector<double>& values) {
  if (values.size() == 3 && values[0] == 7.5 && values[2] == 8.5) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
)");
  const auto graded = [&](const std::string& file, const std::string& out) {
    const Ending ending = run({"grade", file, "--assignment", assignment, "--out", out, "-q"});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return scorecard(out);
  };
  const nlohmann::json unseen = graded(rare.string(), "unseen");
  EXPECT_EQ(unseen["score"], unseen["max_score"]);

  // A scorecard that holds such an input: the stored one of the wrong submission, edited.
  nlohmann::json wrong = graded(wrong_, "wrong");
  nlohmann::json& check = wrong["checks"][0];
  ASSERT_EQ(check["id"], "mean.value");
  check["counterexample"]["inputs"][0]["value"] = {7.5, 0.5, 8.5};
  write("wrong/scorecard.json", wrong.dump());
  const Ending learned = run({"learn", "wrong", "--assignment", assignment});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_TRUE(learned.out.starts_with("1 new example from 1 scorecard; ")) << learned.out;
  EXPECT_TRUE(run({"learn", "wrong", "--assignment", assignment}).out.starts_with("0 new"));
  EXPECT_NE(run({"validate", assignment}).out.find("1 stored example"), std::string::npos);

  const nlohmann::json seen = graded(rare.string(), "seen");
  EXPECT_LT(seen["score"], seen["max_score"]);
  EXPECT_EQ(seen["checks"][0]["original"].is_null() ? seen["checks"][0]["counterexample"]["name"]
                                                    : seen["checks"][0]["original"]["name"],
            "an input that failed before");
  EXPECT_NE(seen["grader"]["configuration"], unseen["grader"]["configuration"]);
  EXPECT_EQ(seen["assignment"]["digest"], unseen["assignment"]["digest"]);
  const nlohmann::json right = graded(right_, "right");
  EXPECT_EQ(right["score"], right["max_score"]);
  EXPECT_EQ(right["checks"][0]["examples"], 1);
}

TEST_F(CliTest, LearnsNothingFromWhatItCannotRead) {
  const std::string assignment = (folder_.path() / "assignment").string();
  fs::copy(TOY, assignment, fs::copy_options::recursive);
  expect_sentence(run({"learn", "nowhere.json", "--assignment", assignment}), 1, "nowhere.json");
  expect_sentence(run({"learn", assignment, "--assignment", assignment}), 1,
                  "There is no scorecard.json in");
  write("assignment/examples.json", "{}");
  expect_sentence(run({"grade", right_, "--assignment", assignment}), 1, "examples.json");
  expect_sentence(run({"validate", assignment}), 1, "examples.json");
  expect_nothing_written();
}

TEST_F(CliTest, BrokenAssignmentsAreNamedByFileAndField) {
  const auto validate = [&](const std::string& from, const std::string& to) {
    const fs::path copy = folder_.path() / "assignment";
    fs::remove_all(copy);
    fs::copy(TOY, copy, fs::copy_options::recursive);
    std::string policy = read_file(copy / "assignment.json", kFileLimit);
    policy.replace(policy.find(from), from.size(), to);
    write("assignment/assignment.json", policy);
    expect_sentence(run({"grade", right_, "--assignment", copy.string()}), 1, "assignment.json");
    return run({"validate", copy.string()});
  };
  expect_sentence(validate("\"points\": 7", "\"points\": 8"), 1, "points");
  expect_sentence(validate("\"id\": \"mean.order\"", "\"id\": \"mean.other\""), 1, "mean.o");
  expect_sentence(validate("\"seed\"", "\"sed\""), 1, "\"seed\" is missing");
  expect_sentence(validate("\"seed\"", "\"extra\": 1, \"seed\""), 1, "extra");
  expect_sentence(validate("{", "["), 1, "assignment.json");
  expect_sentence(run({"validate", "nowhere"}), 1, "nowhere");
  expect_sentence(run({"validate", folder_.path().string()}), 1, "assignment.json");
  const Ending valid = run({"validate", TOY});
  EXPECT_EQ(valid.exit_code, 0);
  EXPECT_NE(valid.out.find("2 checks"), std::string::npos);
  expect_nothing_written();
}

TEST_F(CliTest, ListsAndSelfTestSpeakOfTheAssignment) {
  const Ending checks = run({"list", "checks", "--assignment", TOY});
  EXPECT_NE(checks.out.find("mean.value"), std::string::npos);
  const Ending misconceptions = run({"list", "misconceptions", "--assignment", TOY});
  EXPECT_NE(misconceptions.out.find("T01"), std::string::npos);
  const Ending explained = run({"list", "misconceptions", "--explain", "T01", "--assignment", TOY});
  EXPECT_EQ(explained.exit_code, 0);
  EXPECT_NE(explained.out.find("forgets the last value"), std::string::npos) << explained.out;
  EXPECT_NE(explained.out.find("smallest input"), std::string::npos) << explained.out;
  expect_sentence(run({"list", "misconceptions", "--explain", "T02", "--assignment", TOY}), 1,
                  "T01");
  expect_sentence(run({"list", "checks", "--explain", "T01", "--assignment", TOY}), 1,
                  "misconceptions");
  const Ending selftest = run({"selftest", "--assignment", TOY, "--cases", "50"});
  EXPECT_EQ(selftest.exit_code, 0) << selftest.out;
  expect_sentence(run({"selftest", "--assignment", TOY, "--filter", "nothing"}), 1, "nothing");
}

}  // namespace
}  // namespace grader
