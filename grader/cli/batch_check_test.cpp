// `batch --check`: one check graded again, everything else as it was.
#include "grader/cli/batch_cli_fixture.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

class BatchCheckTest : public BatchCliTest {
 protected:
  void SetUp() override {
    BatchCliTest::SetUp();
    fs::copy(TOY, folder_.path() / "mine", fs::copy_options::recursive);
    hand_in("ada", right());
    hand_in("bob", wrong());
    hand_in("cy", "this is no C++\n");
    ASSERT_EQ(grade_class().exit_code, 0);
  }

  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending grade_class(const Words& more = {}) const {
    Words words = {"batch", "--assignment", "mine", "class", "--out", "results"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  /// Makes check `id` worth `points`, in its objective and in the whole.
  void revalue(const std::string& id, double points) const {
    const fs::path file = folder_.path() / "mine/assignment.json";
    Json policy = Json::parse(read_file(file, kFileLimit));
    for (Json& check : policy["checks"]) {
      if (check["id"] != id) continue;
      const double more = points - check["points"].get<double>();
      check["points"] = points;
      policy["max_score"] = policy["max_score"].get<double>() + more;
      for (Json& objective : policy["objectives"]) {
        if (objective["id"] != check["objective"]) continue;
        objective["points"] = objective["points"].get<double>() + more;
      }
    }
    write("mine/assignment.json", policy.dump());
  }

  [[nodiscard]] Json card(const std::string& student, const std::string& run_folder) const {
    Json json = scorecard("results/students/" + student + "/attempt-1/" + run_folder);
    json.erase("timing");
    return json;
  }
  [[nodiscard]] bool has_run(const std::string& student, const std::string& run_folder) const {
    return fs::exists(folder_.path() / "results/students" / student / "attempt-1" / run_folder);
  }
};

TEST_F(BatchCheckTest, ADoubtedVerdictIsGivenAgainAndNothingElseChanges) {
  const Ending again = grade_class({"--check", "mean.value", "--only", "bob"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(card("bob", "run-2"), card("bob", "run-1")) << "it is what a whole grading would give";
  EXPECT_FALSE(has_run("ada", "run-2"));
  EXPECT_TRUE(
      fs::exists(folder_.path() / "results/students/bob/attempt-1/run-2/submission/mean.cpp"));
  EXPECT_NE(run({"compare", "results"}).out.find("No score changes."), std::string::npos);
  EXPECT_NE(grade_class().err.find("0 submissions to grade; 3 finished before."),
            std::string::npos);
  // With an unchanged assignment it is run again as often as it is asked for.
  EXPECT_NE(grade_class({"--check", "mean.value"}).err.find("2 submissions to grade."),
            std::string::npos);
  EXPECT_TRUE(has_run("bob", "run-3"));
  EXPECT_FALSE(has_run("cy", "run-2")) << "it does not compile: no check ran";
}

TEST_F(BatchCheckTest, AChangedCheckIsGradedAloneAndTheScorecardSaysSo) {
  revalue("mean.order", 4);
  const Ending again = grade_class({"--check", "mean.order"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find("Left as it is: cy. No check ran."), std::string::npos) << again.err;
  const Json before = card("ada", "run-1");
  Json after = card("ada", "run-2");
  EXPECT_EQ(after["score"], 11);
  EXPECT_EQ(after["max_score"], 11);
  EXPECT_EQ(after["objectives"][1]["points"], 4);
  EXPECT_EQ(after["checks"][0], before["checks"][0]) << "the other one is as it was";
  EXPECT_EQ(after["assignment"], before["assignment"]);
  EXPECT_NE(after["grader"]["configuration"], before["grader"]["configuration"]);
  const Json attempt = Json::parse(
      read_file(folder_.path() / "results/students/ada/attempt-1/run-2/attempt.json", kFileLimit));
  EXPECT_EQ(attempt["regraded"][0]["check"], "mean.order");
  EXPECT_NE(attempt["regraded"][0]["assignment_digest"], before["assignment"]["digest"]);
  EXPECT_TRUE(after["notices"].back().get<std::string>().starts_with(
      "Check mean.order was graded again alone, with another version"));
  const std::string compared = run({"compare", "results"}).out;
  EXPECT_NE(compared.find("ada: 10 → 11"), std::string::npos) << compared;
  EXPECT_NE(compared.find("One check was graded again alone"), std::string::npos) << compared;
  EXPECT_EQ(compared.find("does not do the same"), std::string::npos) << compared;

  // The same command goes on where it stopped, so it does nothing now.
  EXPECT_NE(grade_class({"--check", "mean.order"}).err.find("0 submissions to grade; 2 finished"),
            std::string::npos);
  EXPECT_FALSE(has_run("ada", "run-3"));
  // A whole grading does not take the mixture for its own, and then agrees with it.
  EXPECT_NE(grade_class().err.find("3 submissions to grade."), std::string::npos);
  EXPECT_EQ(card("ada", "run-3")["score"], 11);
  EXPECT_EQ(card("ada", "run-3")["notices"], before["notices"]);
  EXPECT_EQ(card("bob", "run-3")["score"], card("bob", "run-2")["score"]);
  EXPECT_EQ(card("bob", "run-3")["diagnosis"], card("bob", "run-2")["diagnosis"]);
}

TEST_F(BatchCheckTest, WhatElseChangedIsSaidAndNothingIsGraded) {
  const auto before = everything("results");
  const auto expect_refusal = [&](const Words& more, const std::string& part) {
    Words words = {"--quiet", "--check", "mean.order"};
    words.insert(words.end(), more.begin(), more.end());
    expect_sentence(grade_class(words), 1, part);
  };
  expect_refusal({"--seed", "8"}, "The seed changed from 7 to 8.");
  expect_refusal({"--cases", "9"}, "The random cases a check changed from 200 to 9.");
  expect_refusal({"--hint-level", "hints"}, "The hint level changed from full to hints.");
  expect_sentence(grade_class({"--quiet", "--check", "mean.ordre"}), 1,
                  "There is no check mean.ordre.");
  hand_in("ada", right() + "// another\n");
  hand_in("bob", wrong() + "// another\n");
  expect_refusal({}, "Other files were handed in since it was graded.");
  hand_in("ada", right());
  hand_in("bob", wrong());
  revalue("mean.value", 8);
  expect_refusal({}, "The points of mean.value changed too.");
  EXPECT_EQ(everything("results"), before);
}

TEST_F(BatchCheckTest, KilledInTheMiddleTheSameCommandFinishesIt) {
  revalue("mean.order", 4);
  const pid_t child = start({"batch", "--assignment", "mine", "class", "--out", "results",
                             "--check", "mean.order", "--jobs", "1"});
  while (!has_run("ada", "run-2") && !has_run("bob", "run-2")) {
    std::this_thread::sleep_for(milliseconds(2));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(remaining_processes(), "");
  EXPECT_EQ(grade_class({"--check", "mean.order"}).exit_code, 0);
  for (const char* student : {"ada", "bob"}) {
    EXPECT_TRUE(has_run(student, "run-2"));
    EXPECT_FALSE(has_run(student, "run-3")) << "nothing twice";
  }
}

}  // namespace
}  // namespace grader
