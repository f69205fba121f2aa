// `batch` and what goes with it, as people and the system treat them: the program itself, on the
// toy assignment.
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "grader/cli/batch_cli_fixture.hpp"

namespace grader {
namespace {

TEST_F(BatchCliTest, GradesAWholeClassAndSaysSo) {
  hand_in_all_kinds();
  const Ending result = batch();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(score_of("ada"), scorecard("results/students/ada/attempt-1/run-1")["max_score"]);
  EXPECT_LT(score_of("bob"), score_of("ada"));
  EXPECT_EQ(score_of("cy"), 0);
  EXPECT_EQ(scorecard("results/students/dan/attempt-1/run-1")["status"], "refused");
  EXPECT_EQ(scorecard("results/students/eve/attempt-1/run-1")["submission"]["id"], "eve");
  EXPECT_NE(result.err.find("6 submissions to grade, 1 like another one."), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("bob: "), std::string::npos) << "a log has a line a submission";
  EXPECT_NE(result.out.find("6 students: 4 graded, 1 does not compile, 1 refused."),
            std::string::npos)
      << result.out;
  const Ending report = run({"report", "results"});
  EXPECT_EQ(report.out, result.out) << report.err;
  EXPECT_EQ(remaining_processes(), "");
  EXPECT_FALSE(fs::exists(folder_.path() / "results/.work"));
  const std::string page = read_file(folder_.path() / "results/class.html", kFileLimit);
  EXPECT_NE(page.find("students/eve/attempt-1/run-1/report.html"), std::string::npos);
}

TEST_F(BatchCliTest, ARerunGradesNothingAndChangesNothing) {
  hand_in_all_kinds();
  batch();
  const auto before = everything("results");
  const Ending again = batch();
  EXPECT_NE(again.err.find("0 submissions to grade; 6 finished before."), std::string::npos)
      << again.err;
  EXPECT_EQ(everything("results"), before);
}

TEST_F(BatchCliTest, GradesAgainOnlyWhatChanged) {
  hand_in("ada", wrong());
  hand_in("bob", wrong());
  batch();
  hand_in("ada", right());
  EXPECT_NE(batch().err.find("1 submission to grade; 1 finished before."), std::string::npos);
  EXPECT_GT(score_of("ada", "run-2"), score_of("ada", "run-1"));
  const Ending compared = run({"compare", "results"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_NE(compared.out.find("1 score changes:\n  ada: "), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find("Other files were handed in."), std::string::npos) << compared.out;
}

TEST_F(BatchCliTest, AnotherSeedIsAnotherConfiguration) {
  hand_in("ada", right());
  batch({"--seed", "1"});
  EXPECT_NE(batch({"--seed", "1"}).err.find("0 submissions to grade"), std::string::npos);
  EXPECT_NE(batch({"--seed", "2"}).err.find("1 submission to grade"), std::string::npos);
  EXPECT_EQ(scorecard("results/students/ada/attempt-1/run-2")["grader"]["seed"], 2);
}

TEST_F(BatchCliTest, OneStudentAloneIsGradedAgain) {
  hand_in("ada", right());
  hand_in("bob", wrong());
  batch();
  EXPECT_EQ(batch({"--only", "bob"}).exit_code, 0);
  EXPECT_EQ(score_of("bob", "run-2"), score_of("bob", "run-1"));
  EXPECT_FALSE(fs::exists(folder_.path() / "results/students/ada/attempt-1/run-2"));
  const Ending unknown = batch({"--only", "bobb"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("Did you mean bob?"), std::string::npos) << unknown.err;
}

TEST_F(BatchCliTest, ADecisionThatIsWrittenHalfIsToldByEverybody) {
  hand_in("ada", wrong());
  batch();
  const fs::path file = folder_.path() / "results/overrides.jsonl";
  const std::string half = R"({"student": "ada", "sco)";
  std::ofstream(file) << half;
  for (const Words& words :
       {Words{"report", "results"}, Words{"export", "csv", "results"},
        Words{"override", "results", "ada", "--score", "9", "--reason", "x"}}) {
    expect_sentence(run(words), 1, "results/overrides.jsonl, line 1 is not valid JSON.");
  }
  EXPECT_EQ(read_file(file, kFileLimit), half) << "nothing was added to it";
  // What the gradebook does not know yet counts.
  std::ofstream(file) << R"({"student": "ada", "score": 99, "reason": "viva", "made_at": 5})";
  const std::string report = run({"report", "results"}).out;
  EXPECT_NE(report.find("Median 99, mean 99 of "), std::string::npos) << report;
}

TEST_F(BatchCliTest, AnOverrideStaysApartAndSurvivesARegrade) {
  hand_in("ada", wrong());
  batch();
  const Ending set = run({"override", "results", "ada", "--score", "99", "--reason", "viva"});
  EXPECT_EQ(set.exit_code, 0) << set.err;
  batch({"--force"});
  fs::remove(folder_.path() / "results/gradebook.sqlite");
  batch();
  const std::string report = run({"report", "results"}).out;
  EXPECT_NE(report.find("Median 99, mean 99 of "), std::string::npos) << report;
  EXPECT_LT(score_of("ada", "run-2"), 99) << "what was computed is still there";
  run({"override", "results", "ada", "--withdraw", "--reason", "a mistake"});
  EXPECT_EQ(run({"report", "results"}).out.find("Median 99"), std::string::npos);
  expect_sentence(run({"override", "results", "adda", "--score", "9", "--reason", "x"}), 1,
                  "There is no student adda");
  EXPECT_EQ(run({"override", "results", "ada", "--reason", "x"}).exit_code, 1);
  EXPECT_EQ(run({"override", "results", "ada", "--score", "9", "--reason", " "}).exit_code, 1);
}

TEST_F(BatchCliTest, TwoResultsAreCompared) {
  hand_in("ada", wrong());
  batch({}, "monday");
  hand_in("ada", right());
  hand_in("bob", right());
  batch({}, "friday");
  const Ending compared = run({"compare", "monday", "friday"});
  EXPECT_NE(compared.out.find("2 scores change:"), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find("It was not handed in before."), std::string::npos);
  const std::string run_folder = "/students/ada/attempt-1/run-1/scorecard.json";
  const Ending two = run({"compare", "monday" + run_folder, "friday" + run_folder});
  EXPECT_NE(two.out.find("1 score changes:"), std::string::npos) << two.out << two.err;
  EXPECT_EQ(run({"compare", "monday", "friday" + run_folder}).exit_code, 1);
  EXPECT_EQ(run({"compare", "class"}).exit_code, 1);
}

TEST_F(BatchCliTest, WhatMakesNoSenseIsSaidAndNothingIsWritten) {
  fs::create_directory(folder_.path() / "class");
  EXPECT_EQ(batch().exit_code, 1) << "an empty source";
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
  fs::remove_all(folder_.path() / "class");
  EXPECT_EQ(batch().exit_code, 1) << "no source";
  write("class/notes.txt", "no submission");
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
  hand_in("ada", right());
  write("thesis/thesis.tex", "");
  expect_sentence(batch({"--quiet"}, "thesis"), 1, "holds something else");
  expect_sentence(batch({"--quiet"}, "/proc/results"), 2, "Cannot write /proc/results");
  expect_sentence(run({"report", "thesis"}), 1, "There is no gradebook");
}

TEST_F(BatchCliTest, ResultsOfAnotherAssignmentAreLeftAlone) {
  hand_in("ada", right());
  batch();
  const auto before = everything("results");
  fs::copy(TOY, folder_.path() / "other", fs::copy_options::recursive);
  std::string policy = read_file(folder_.path() / "other/assignment.json", kFileLimit);
  const auto json = nlohmann::json::parse(policy);
  const std::string id = "\"" + json["id"].get<std::string>() + "\"";
  policy.replace(policy.find(id), id.size(), "\"another\"");
  write("other/assignment.json", policy);
  const Ending refused = run({"batch", "--assignment", "other", "class", "--out", "results"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("not of another"), std::string::npos) << refused.err;
  EXPECT_EQ(everything("results"), before);
}

TEST_F(BatchCliTest, TwoAtOnceOnOneFolderAreRefused) {
  hand_in_all_kinds();
  const pid_t first = start(batch_words({"--jobs", "1"}));
  while (!fs::exists(folder_.path() / "results/.work")) {
    std::this_thread::sleep_for(milliseconds(2));
  }
  const Ending second = batch({"--quiet"});
  int status = 0;
  waitpid(first, &status, 0);
  EXPECT_EQ(status, 0) << "the first one is not disturbed";
  expect_sentence(second, 1, "Another process works on results");
}

TEST_F(BatchCliTest, InterruptedItStopsInOrderAndGoesOn) {
  hand_in_all_kinds();
  batch({}, "undisturbed");
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = "stopped-" + std::to_string(signal);
    const pid_t child = start(batch_words({"--jobs", "1"}, out));
    while (runs_in(out) == 0) std::this_thread::sleep_for(milliseconds(2));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(remaining_processes(), "");
    EXPECT_FALSE(fs::exists(folder_.path() / out / ".work")) << "nothing half-written";
    const std::string log = read_file(folder_.path() / "started.log", kFileLimit);
    EXPECT_NE(log.find("The same command goes on from here."), std::string::npos) << log;
    EXPECT_LT(runs_in(out), 6U);
    EXPECT_EQ(batch({}, out).exit_code, 0);
    EXPECT_EQ(everything(out), everything("undisturbed"));
  }
}

TEST_F(BatchCliTest, KilledAtAnyMomentNothingIsLost) {
  hand_in_all_kinds();
  const auto begin = std::chrono::steady_clock::now();
  batch({}, "undisturbed");
  const auto whole =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  std::mt19937 random(std::random_device{}());
  const char* wanted = std::getenv("ATTENTION_GRADER_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 4;
  for (int time = 0; time < kills; ++time) {
    const std::string out = "killed-" + std::to_string(time);
    const milliseconds moment(
        std::uniform_int_distribution<std::int64_t>(0, whole.count())(random));
    const pid_t child = start(batch_words({}, out));
    std::this_thread::sleep_for(moment);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string when =
        std::to_string(moment.count()) + " of " + std::to_string(whole.count()) + " ms";
    ASSERT_EQ(remaining_processes(), "") << when;
    const Ending rerun = batch({}, out);
    ASSERT_EQ(rerun.exit_code, 0) << when << '\n' << rerun.err;
    ASSERT_EQ(remaining_processes(), "") << "after the run that finished it";
    EXPECT_EQ(everything(out), everything("undisturbed")) << when;
    EXPECT_EQ(runs_in(out), 6U) << when << ": nothing twice";
    std::string mounts;
    std::getline(std::ifstream("/proc/self/mounts"), mounts, '\0');
    EXPECT_EQ(mounts.find(folder_.path().string()), std::string::npos) << when;
    fs::remove_all(folder_.path() / out);
  }
}

TEST_F(BatchCliTest, AGraderThatIsKilledCostsOneSubmissionAndNoMark) {
  hand_in("ada", right());
  const pid_t child = start(batch_words({"--jobs", "1"}));
  int killed = 0;
  pid_t last = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (killed < 2 && std::chrono::steady_clock::now() < deadline) {
    std::ifstream children("/proc/" + std::to_string(child) + "/task/" + std::to_string(child) +
                           "/children");
    pid_t grader = 0;
    children >> grader;
    std::string words;
    std::getline(std::ifstream("/proc/" + std::to_string(grader) + "/cmdline"), words);
    if (grader > 0 && words.find("grade-task") != std::string::npos && grader != last) {
      last = grader;
      if (kill(grader, SIGKILL) == 0) ++killed;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(remaining_processes(), "");
  const std::string report = run({"report", "results"}).out;
  EXPECT_NE(report.find("1 student: 1 not graded."), std::string::npos) << report;
  EXPECT_NE(report.find("SIGKILL"), std::string::npos) << report;
  batch();
  EXPECT_NE(run({"report", "results"}).out.find("1 graded"), std::string::npos);
}

TEST_F(BatchCliTest, AFullDiskStopsItAndTheRestFollowsLater) {
  hand_in_all_kinds();
  const fs::path disk = folder_.path() / "disk";
  fs::create_directory(disk);
  if (mount("small", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "no small disk can be mounted here";
  }
  const Ending full = batch({}, "disk/results");
  // Either it cannot go on, or what could not be written needs attention; nothing is a zero.
  EXPECT_TRUE(full.exit_code == 2 || full.out.find(" not graded") != std::string::npos)
      << full.exit_code << full.err << full.out;
  EXPECT_TRUE(full.err.find("No space left on device") != std::string::npos ||
              full.err.find("the disk is full") != std::string::npos)
      << full.err;
  EXPECT_EQ(mount("small", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  const Ending rest = batch({}, "disk/results");
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_NE(rest.out.find("6 students: 4 graded, 1 does not compile, 1 refused."),
            std::string::npos)
      << rest.out;
  umount2(disk.c_str(), MNT_DETACH);
}

TEST_F(BatchCliTest, WhatIsMeantForSlurmNeedsIt) {
  hand_in("ada", right());
  expect_sentence(batch({"--partition", "main"}), 1, "--executor slurm is required");
}

TEST_F(BatchCliTest, HostileNamesAreShownAsText) {
  write("class/\x1b[31m<b>.cpp", right());
  write("class/-rf.cpp", wrong());
  const Ending result = batch();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ((result.err + result.out).find("\x1b[31m"), std::string::npos);
  EXPECT_EQ(runs_in("results"), 2U);
}

}  // namespace
}  // namespace grader
