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

TEST_F(CliTest, MissingSubmissionIsAUsageError) {
  expect_sentence(grade({"nowhere/mean.cpp"}), 1, "nowhere/mean.cpp");
  expect_nothing_written();
}

TEST_F(CliTest, UnusableContentIsRefusedWithOneSentence) {
  write("folder/readme.md", "nothing to compile\n");
  const fs::path huge = write("huge/mean.cpp", "//");
  fs::resize_file(huge, std::uintmax_t{100} << 20);
  for (const std::string& submission :
       {write("empty/mean.cpp", "").string(), huge.string(), (folder_.path() / "folder").string(),
        write("binary/mean.cpp", std::string("\x7f"
                                             "ELF\0\0\1",
                                             7))
            .string()}) {
    const Ending result = grade({submission, "--out", "out", "--strict"});
    EXPECT_EQ(result.exit_code, 4) << submission << result.err;
    EXPECT_NE(result.out.find("refused"), std::string::npos) << result.out;
    const auto card = scorecard("out");
    EXPECT_EQ(card["status"], "refused");
    EXPECT_EQ(card["score"], 0);
    EXPECT_FALSE(card["error"]["message"].get<std::string>().empty());
    EXPECT_FALSE(fs::exists(folder_.path() / "out/submission"));
    EXPECT_EQ(grade({submission, "--out", "out"}).exit_code, 0);
  }
}

TEST_F(CliTest, UnreadableFileIsRefusedOrAUsageError) {
  const fs::path secret = write("mean.cpp", "double mean();\n");
  fs::permissions(secret, fs::perms::none);
  fs::permissions(folder_.path(), fs::perms::all);
  const auto as_nobody = [] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
    if (access(PROGRAM, X_OK) != 0 || access(TOY "/judge.so", R_OK) != 0) _exit(126);
  };
  const Ending result =
      run({"grade", secret.string(), "--assignment", TOY, "--strict", "--out", "out"}, as_nobody);
  if (result.exit_code == 126) GTEST_SKIP() << "the program cannot be run as another user here";
  EXPECT_TRUE(result.exit_code == 1 || result.exit_code == 4) << result.err << result.out;
  EXPECT_NE((result.err + result.out).find("mean.cpp"), std::string::npos);
}

TEST_F(CliTest, UnwritableOutIsFoundBeforeGrading) {
  write("file", "not a folder");
  expect_sentence(grade({right_, "--out", "file"}), 1, "not a folder");
  expect_sentence(grade({right_, "--out", "file/inside"}), 2, "file/inside");
  expect_sentence(grade({right_, "--out", "/proc/out"}), 2, "/proc/out");
  EXPECT_EQ(read_file(folder_.path() / "file", kFileLimit), "not a folder");
}

TEST_F(CliTest, NoSpaceAtAllIsFoundBeforeGrading) {
  const Ending result = run({"grade", right_, "--assignment", TOY, "--out", "out"}, [] {
    const rlimit nothing{0, 0};
    setrlimit(RLIMIT_FSIZE, &nothing);
  });
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(CliTest, DiskThatFillsUpLeavesNothingHalfWritten) {
  const fs::path disk = folder_.path() / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "a small file system needs root";
  }
  // Room for the probe, not for a scorecard: everything but two pages is taken.
  {
    std::ofstream filler(disk / "filler", std::ios::binary);
    filler << std::string(56 << 10, 'x');
  }
  const Ending result = grade({wrong_, "--out", (disk / "out").string()});
  const bool has_scorecard = fs::exists(disk / "out/scorecard.json");
  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(disk)) {
    left.push_back(entry.path().filename().string());
  }
  umount(disk.c_str());
  expect_sentence(result, 2, "Cannot write");
  EXPECT_FALSE(has_scorecard);
  for (const std::string& name : left) EXPECT_FALSE(name.starts_with(".")) << name;
}

TEST_F(CliTest, FullStdoutIsAnEnvironmentError) {
  const Ending result = run({"list", "checks", "--assignment", TOY},
                            [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  expect_sentence(result, 2, "Cannot write the result");
}

TEST_F(CliTest, ResultsInsideTheSubmissionAreNotGraded) {
  fs::copy(right_, folder_.path() / "mean.cpp");
  EXPECT_EQ(grade({".", "--out", "out"}).exit_code, 0);
  const auto first = scorecard("out");
  EXPECT_EQ(grade({".", "--out", "out"}).exit_code, 0);
  EXPECT_EQ(scorecard("out")["submission"]["digest"], first["submission"]["digest"]);
  EXPECT_EQ(scorecard("out")["score"], 10);
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
