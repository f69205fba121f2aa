// The seam, proven: the same program that grades attention grades the toy assignment.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

class ToyTest : public testing::Test {
 protected:
  /// Runs the program; `arguments` hold nothing that a shell would change.
  [[nodiscard]] int run(const std::string& arguments) const {
    const std::string output = (directory_.path() / "output").string();
    const int status =
        std::system((GRADER_PROGRAM " " + arguments + " >" + output + " 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string output() const {
    return read_file(directory_.path() / "output", std::size_t{1} << 20);
  }
  [[nodiscard]] nlohmann::json grade(const std::string& submission) const {
    const int code = run("grade --assignment " TOY_ASSIGNMENT " --out " + results().string() +
                         " " TOY_SUBMISSIONS "/" + submission);
    EXPECT_EQ(code, 0) << output();
    std::ifstream scorecard(results() / "scorecard.json");
    return nlohmann::json::parse(scorecard);
  }
  [[nodiscard]] fs::path results() const { return directory_.path() / "results"; }

 private:
  TemporaryDirectory directory_;
};

TEST_F(ToyTest, RightSubmissionGetsFullMarks) {
  const auto scorecard = grade("accepted/loop/mean.cpp");
  EXPECT_EQ(scorecard["status"], "graded");
  EXPECT_EQ(scorecard["assignment"]["id"], "toy-mean");
  EXPECT_EQ(scorecard["score"], 10);
}

TEST_F(ToyTest, WrongSubmissionLosesBothChecksOnSmallInputsAndReplays) {
  const auto scorecard = grade("wrong_answer/forgets_last/mean.cpp");
  EXPECT_EQ(scorecard["score"], 0);
  ASSERT_EQ(scorecard["checks"].size(), 2U);
  for (const auto& check : scorecard["checks"]) {
    EXPECT_EQ(check["status"], "failed");
    EXPECT_FALSE(check["counterexample"].is_null());
  }
  ASSERT_EQ(scorecard["diagnosis"].size(), 1U);
  EXPECT_EQ(scorecard["diagnosis"][0]["id"], "T01");
  EXPECT_EQ(run("replay --assignment " TOY_ASSIGNMENT " " +
                (results() / "scorecard.json").string() + " mean.order"),
            0)
      << output();
  EXPECT_NE(output().find("The mean changes when the values are reversed."), std::string::npos)
      << output();
}

TEST_F(ToyTest, AssignmentValidates) { EXPECT_EQ(run("validate " TOY_ASSIGNMENT), 0) << output(); }

}  // namespace
}  // namespace grader
