// Runs the built program as people do, on the toy assignment: results, messages and exit codes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

TEST_F(CliTest, HelpAndVersionAreResults) {
  for (const Words& words :
       {Words{"--help"}, {"grade", "--help"}, {"replay", "--help"}, {"report", "--help"}}) {
    const Ending help = run(words);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("  attention-grader "), std::string::npos) << "teaches by example";
  }
  EXPECT_EQ(run({"--version"}).out, "attention-grader " PROGRAM_VERSION "\n");
}

TEST_F(CliTest, WrongCommandLinesAreUsageErrors) {
  expect_sentence(run({}), 1, "No command");
  expect_sentence(run({"grad"}), 1, "Did you mean grade?");
  expect_sentence(run({"grade"}), 1, "SUBMISSION");
  expect_sentence(run({"grade", "x", "--sed", "1"}), 1, "--sed");
  expect_sentence(grade({right_, "--seed", "-1"}), 1, "--seed");
  expect_sentence(grade({right_, "--seed", "one"}), 1, "--seed");
  expect_sentence(grade({right_, "--seed", "18446744073709551616"}), 1, "--seed");
  expect_sentence(grade({right_, "--cases", "0"}), 1, "--cases");
  expect_sentence(grade({right_, "--format", "yaml"}), 1, "--format");
  expect_sentence(grade({right_, "--fail-under", "101"}), 1, "--fail-under");
  expect_nothing_written();
}

TEST_F(CliTest, RightSubmissionGetsFullMarksAndAScorecard) {
  const Ending result = grade({right_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("10 / 10"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "no colors into a file";
  const auto card = scorecard("mean.grade");
  EXPECT_EQ(card["status"], "graded");
  EXPECT_EQ(card["score"], 10);
  EXPECT_TRUE(fs::exists(folder_.path() / "mean.grade/submission/mean.cpp"));
}

TEST_F(CliTest, SameSeedGivesTheSameBytesOutsideTiming) {
  grade({wrong_, "--out", "first"});
  grade({wrong_, "--out", "second", "--quiet"});
  auto first = scorecard("first");
  auto second = scorecard("second");
  EXPECT_FALSE(first["timing"].empty());
  first.erase("timing");
  second.erase("timing");
  EXPECT_EQ(first.dump(), second.dump());
  grade({wrong_, "--out", "other", "--seed", "8"});
  EXPECT_NE(scorecard("other")["grader"]["configuration"], first["grader"]["configuration"]);
}

TEST_F(CliTest, ReusesTheResultOfTheSameFilesGradedInTheSameWay) {
  fs::remove_all(fs::path(TEST_CACHE) / "attention-grader/results");  // of an earlier run
  const auto document = [&](const fs::path& submission, const std::string& out, const Words& more) {
    Words words = {submission, "--out", out, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(grade(words).exit_code, 0);
    return read_file(folder_.path() / out / "scorecard.json", kFileLimit);
  };
  const fs::path own = write("mean.cpp", read_file(wrong_, kFileLimit));
  const std::string first = document(own, "first", {"--reuse"});
  EXPECT_EQ(document(own, "second", {"--reuse"}), first) << "timing included: not graded again";
  EXPECT_TRUE(fs::exists(folder_.path() / "second/submission/mean.cpp")) << "replay needs it";
  EXPECT_NE(document(own, "third", {}), first) << "timing differs: graded again";
  for (const auto& kept : fs::directory_iterator(fs::path(TEST_CACHE) / "attention-grader/results"))
    std::ofstream(kept.path()) << "{}";
  EXPECT_NE(document(own, "damaged", {"--reuse"}), first) << "graded again";
  EXPECT_NE(document(own, "fourth", {"--reuse", "--seed", "8"}), first);
  std::ofstream(own, std::ios::app) << "\n";
  EXPECT_NE(document(own, "fifth", {"--reuse"}), first);
}

TEST_F(CliTest, FormatsDecideWhatIsPrinted) {
  const Ending json = grade({right_, "--out", "out", "--format", "json", "--quiet"});
  EXPECT_EQ(json.out, read_file(folder_.path() / "out/scorecard.json", kFileLimit));
  EXPECT_EQ(grade({right_, "--out", "out", "--quiet"}).out, "");
  const Ending both = grade({right_, "--out", "out", "--format", "text", "--format", "json"});
  EXPECT_LT(both.out.find("10 / 10"), both.out.find("\"schema_version\""));
}

TEST_F(CliTest, EveryFormatIsPrintedNowOrLater) {
  struct Sample {
    std::string format;
    std::string start;
    std::string part;
  };
  for (const Sample& sample : {Sample{"html", "<!doctype html>", "mean.value"},
                               {"markdown", "# ` mean.cpp `: ", "### ✗ ` mean.value `"},
                               {"junit", "<?xml", "<testcase"},
                               {"text", "mean.cpp · ", "✗ mean.value"}}) {
    const Ending graded = grade({wrong_, "--out", "out", "--format", sample.format});
    EXPECT_TRUE(graded.out.starts_with(sample.start)) << graded.out.substr(0, 200);
    EXPECT_NE(graded.out.find(sample.part), std::string::npos) << sample.format;
    const Ending later =
        run({"report", "out/scorecard.json", "--format", sample.format, "--assignment", TOY});
    EXPECT_EQ(later.exit_code, 0) << later.err;
    EXPECT_TRUE(later.out.starts_with(sample.start)) << later.out.substr(0, 200);
  }
  expect_sentence(run({"report", "nowhere.json"}), 1, "nowhere.json");
}

TEST_F(CliTest, AWebPageIsWrittenBesideTheScorecard) {
  const Ending graded = grade({wrong_, "--out", "out"});
  EXPECT_NE(graded.out.find("out/scorecard.json · report.html"), std::string::npos) << graded.out;
  const std::string page = read_file(folder_.path() / "out/report.html", kFileLimit);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("Score by objective"), std::string::npos);
  EXPECT_NE(page.find("replay out/scorecard.json mean.value"), std::string::npos);
}

TEST_F(CliTest, HintLevelHidesCounterexamplesEverywhere) {
  const Ending result = grade({wrong_, "--out", "out", "--hint-level", "hints"});
  EXPECT_EQ(result.out.find("values ="), std::string::npos);
  EXPECT_EQ(scorecard("out")["checks"][0]["counterexample"], nullptr);
  const Ending replay = run({"replay", "out/scorecard.json", "mean.value", "--assignment", TOY});
  expect_sentence(replay, 1, "does not hold the input");
}

TEST_F(CliTest, ThresholdsAndStrictnessDecideTheExitCode) {
  EXPECT_EQ(grade({wrong_, "--fail-under", "60"}).exit_code, 5);
  EXPECT_EQ(grade({right_, "--fail-under", "100"}).exit_code, 0);
  const fs::path broken = write("broken/mean.cpp", "double mean(;\n");
  EXPECT_EQ(grade({broken.string()}).exit_code, 0);
  const Ending strict = grade({broken.string(), "--strict"});
  EXPECT_EQ(strict.exit_code, 4);
  EXPECT_NE(strict.out.find("does not compile"), std::string::npos) << strict.out;
  EXPECT_EQ(scorecard("mean.grade")["status"], "not_built");
  EXPECT_EQ(scorecard("mean.grade")["score"], 0);
}

TEST_F(CliTest, InstalledProgramFindsItsPartsFromAnotherPlace) {
  const std::string install =
      "cmake --install " BUILD " --prefix " + folder_.path().string() + "/prefix >/dev/null";
  ASSERT_EQ(std::system(install.c_str()), 0);
  const fs::path prefix = folder_.path() / "prefix";
  EXPECT_TRUE(fs::exists(prefix / "share/doc/attention-grader/scorecard.schema.json"));
  const std::string program = (prefix / "bin/attention-grader").string();
  const Ending checks = run({"list", "checks"}, {}, program);
  EXPECT_EQ(checks.exit_code, 0) << checks.err;
  EXPECT_NE(checks.out.find("softmax.row_sums"), std::string::npos);
  const Ending graded = run({"grade", right_, "--assignment", TOY}, {}, program);
  EXPECT_NE(graded.out.find("10 / 10"), std::string::npos) << graded.err << graded.out;
}

TEST_F(CliTest, GradesAtEveryLevelOfIsolationAndSaysWhichIfItIsLow) {
  for (const std::string level : {"L4", "L3", "L2", "L1", "L0"}) {
    const Ending result = grade({right_, "--isolation", level});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto card = scorecard("mean.grade");
    EXPECT_EQ(card["score"], 10) << level;
    const auto isolation = card["grader"]["isolation"];
    EXPECT_LE(isolation["level"], level);
    EXPECT_EQ(isolation["missing"].empty(), isolation["level"] == "L4");
    const bool is_low = isolation["level"] < "L3";
    const std::string notice = "Isolated at level " + isolation["level"].get<std::string>();
    EXPECT_EQ(result.out.find(notice) != std::string::npos, is_low) << result.out;
  }
  expect_sentence(grade({right_, "--isolation", "L5"}), 1, "--isolation");
}

TEST_F(CliTest, AnAssignmentMayForbidThreads) {
  const fs::path assignment = folder_.path() / "alone";
  fs::copy(TOY, assignment, fs::copy_options::recursive);
  auto policy = nlohmann::json::parse(read_file(assignment / "assignment.json", kFileLimit));
  policy["limits"] = {{"threads", 0}};
  write("alone/assignment.json", policy.dump());
  write("threads/mean.cpp",
        "#include \"toy/mean.hpp\"\n#include <thread>\n"
        "double toy::mean(const Row& values) {\n"
        "  double sum = 0;\n"
        "  std::thread([&] { for (double value : values) sum += value; }).join();\n"
        "  return sum / values.size();\n"
        "}\n");
  EXPECT_NE(grade({"threads"}).out.find("10 / 10"), std::string::npos);
  for (const std::string level : {"L4", "L0"}) {
    const auto grade_alone = [&](const std::string& what) {
      return run({"grade", "--assignment", assignment, what, "--isolation", level});
    };
    const Ending threaded = grade_alone("threads");
    EXPECT_EQ(threaded.exit_code, 0) << threaded.err;
    const auto card = scorecard("threads.grade");
    EXPECT_EQ(card["score"], 0) << level;
    const std::string message = card["checks"][0]["message"];
    EXPECT_NE(message.find("starting a thread or another process, which this assignment does not"),
              std::string::npos)
        << message;
    EXPECT_NE(grade_alone(right_).out.find("10 / 10"), std::string::npos) << level;
  }
}

TEST_F(CliTest, ReadsOfUnsetMemoryAreToldWhereTheNumbersShowThem) {
  const std::string head = "#include \"toy/mean.hpp\"\ndouble toy::mean(const Row& values) {\n";
  write("local.cpp", head +
                         "  double sum;\n  for (double value : values) sum += value;\n"
                         "  return sum;\n}\n");
  write("block.cpp", head +
                         "  double* sums = new double[values.size() + 8];\n"
                         "  double sum = sums[5];\n  delete[] sums;\n  return sum;\n}\n");
  for (const char* name : {"local.cpp", "block.cpp"}) {
    const Ending result = grade({name});
    EXPECT_NE(result.out.find("before it is set (on which line is unknown)"), std::string::npos)
        << name << '\n'
        << result.out;
  }
  EXPECT_EQ(grade({wrong_}).out.find("before it is set"), std::string::npos);
}

TEST_F(CliTest, GradesWhateverTheUmask) {
  setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  for (const std::string level : {"L4", "L2"}) {
    const Ending result =
        run({"grade", "--assignment", TOY, right_, "--isolation", level}, [] { umask(077); });
    EXPECT_NE(result.out.find("10 / 10"), std::string::npos) << level << result.out << result.err;
  }
}

TEST_F(CliTest, RunsNothingUnisolatedUnlessTold) {
  const Ending refused = grade({right_, "--isolation", "none"});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_NE(refused.err.find("cannot isolate"), std::string::npos) << refused.err;
  EXPECT_EQ(scorecard("mean.grade")["status"], "environment_error");
  const Ending accepted = grade({right_, "--isolation", "none", "--accept-unsafe"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("NOT ISOLATED"), std::string::npos) << accepted.out;
  EXPECT_EQ(scorecard("mean.grade")["grader"]["isolation"]["level"], "none");
  const Ending wrong = grade({wrong_, "--isolation", "none", "--accept-unsafe"});
  ASSERT_EQ(wrong.exit_code, 0) << wrong.err;
  const std::string check = scorecard("mean.grade")["checks"][0]["id"];
  const Ending replayed = run({"replay", "--assignment", TOY, "mean.grade/scorecard.json", check,
                               "--isolation", "none", "--accept-unsafe"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
  EXPECT_NE(replayed.err.find("NOT ISOLATED"), std::string::npos) << replayed.err;
}

TEST_F(CliTest, DoctorTriesToEscapeAtEveryLevelAndNeverRefuses) {
  for (const std::string level : {"L4", "L3", "L2", "L1", "L0"}) {
    const Ending result = run({"doctor", "--isolation", level});
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    for (const std::string probe : {"sandbox probe: 40", "compiler probe: 7"}) {
      EXPECT_NE(result.out.find(probe + " escapes tried, 0 succeeded"), std::string::npos)
          << result.out;
    }
  }
  const Ending nothing = run({"doctor", "--isolation", "none"});
  EXPECT_NE(nothing.out.find("none tried"), std::string::npos) << nothing.out;
}

TEST_F(CliTest, UngradedScorecardSaysWhyAndHasNoScore) {
  const Ending printed =
      run({"ungraded", "It took too long.", "--hint", "Try again.", "--assignment", TOY});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  const auto card = nlohmann::json::parse(printed.out);
  EXPECT_EQ(card["status"], "environment_error");
  EXPECT_EQ(card["error"]["message"], "It took too long.");
  EXPECT_EQ(card["error"]["hint"], "Try again.");
  EXPECT_TRUE(card["score"].is_null());
  EXPECT_EQ(card["max_score"], 10);
}

}  // namespace
}  // namespace grader
