// `replay`, as the reports tell people to type it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/base/files.hpp"
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

TEST_F(CliTest, TheReplayCommandOfAReportWorksAsItStandsThere) {
  const Ending graded = grade({wrong_, "--out", "out"});
  const std::size_t label = graded.out.find("Again:  ");
  ASSERT_NE(label, std::string::npos) << graded.out;
  const std::size_t start = label + 8;
  const std::string command = graded.out.substr(start, graded.out.find('\n', start) - start);
  const std::string typed = "cd '" + folder_.path().string() + "' && " + command + " >again.txt";
  EXPECT_EQ(std::system(typed.c_str()), 0) << typed;
  EXPECT_NE(read_file(folder_.path() / "again.txt", kFileLimit).find("fails again"),
            std::string::npos);
}

TEST_F(CliTest, ReplayRunsTheStoredInputOnTheGradedFiles) {
  grade({wrong_, "--out", "out", "--quiet"});
  const Ending again = run({"replay", "out/scorecard.json", "mean.value", "--assignment", TOY});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("The stored input fails again."), std::string::npos) << again.out;
  const Ending mended =
      run({"replay", "out/scorecard.json", "mean.value", right_, "--changed", "--assignment", TOY});
  EXPECT_NE(mended.out.find("The stored input holds now."), std::string::npos) << mended.out;
}

TEST_F(CliTest, ReplayRepeatsTheCallsThatAFailureDependsOn) {
  const fs::path stateful = write("stateful/mean.cpp", R"(
#include "toy/mean.hpp"
#include <numeric>
namespace toy {
double mean(const Row& values) {
  static int calls = 0;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return sum / static_cast<double>(values.size()) + (++calls > 20 ? 1 : 0);
}
}  // namespace toy
)");
  grade({stateful.string(), "--out", "out", "--quiet"});
  const auto card = scorecard("out");
  for (const auto& check : card["checks"]) {
    if (check["calls"].empty()) continue;
    const Ending again = run({"replay", "out/scorecard.json", check["id"], "--assignment", TOY});
    EXPECT_NE(again.out.find("The stored input fails again."), std::string::npos) << again.out;
    EXPECT_NE(again.out.find("answers otherwise"), std::string::npos) << again.out;
    return;
  }
  FAIL() << "no check has a sequence of calls: " << card.dump(1);
}

TEST_F(CliTest, ReplayRefusesWhatDoesNotBelongTogether) {
  grade({wrong_, "--out", "out", "--quiet"});
  const auto replay = [&](const std::string& card, const std::string& check, Words more = {}) {
    more.insert(more.begin(), {"replay", card, check, "--assignment", TOY});
    return run(more);
  };
  expect_sentence(replay("nowhere.json", "mean.value"), 1, "nowhere.json");
  expect_sentence(replay("out", "mean.value"), 1, "out");
  expect_sentence(replay(right_, "mean.value"), 1, "not JSON");
  expect_sentence(replay("out/scorecard.json", "mean.valu"), 1, "Did you mean mean.value?");
  expect_sentence(replay("out/scorecard.json", "mean.value", {right_}), 1, "content differs");
  const std::string document = read_file(folder_.path() / "out/scorecard.json", kFileLimit);
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string changed = document;
    changed.replace(changed.find(from), from.size(), to);
    write("out/edited.json", changed);
    return std::string("out/edited.json");
  };
  expect_sentence(replay(edited("toy-mean", "attention"), "mean.value"), 1,
                  "of assignment attention");
  const std::string digest = scorecard("out")["assignment"]["digest"];
  expect_sentence(replay(edited(digest, std::string(64, '0')), "mean.value"), 1,
                  "another version of assignment");
  fs::remove_all(folder_.path() / "out/submission");
  expect_sentence(replay("out/scorecard.json", "mean.value"), 1, "not beside the scorecard");
}

}  // namespace
}  // namespace grader
