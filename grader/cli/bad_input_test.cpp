// Bad input and full disks: one sentence, the right exit code, nothing half-written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

TEST_F(CliTest, MissingSubmissionIsAUsageError) {
  expect_sentence(grade({"nowhere/mean.cpp"}), 1, "nowhere/mean.cpp");
  expect_nothing_written();
}

TEST_F(CliTest, AWordThatAnOptionDoesNotTakeIsToldWithThoseThatItTakes) {
  expect_sentence(grade({right_, "--hint-level", "nonsense"}), 1,
                  "--hint-level: \"nonsense\" is none of full, hints, score_only.");
  expect_sentence(grade({right_, "--format", "\x1b[31m"}), 1,
                  "--format: \"\\x1b[31m\" is none of html, json, junit, markdown, text.");
  expect_sentence(grade({right_, "--isolation", std::string(1'000, 'L')}), 1,
                  "(cut)\" is none of L0, L1, L2, L3, L4, none.");
  expect_sentence(run({"export", "gradescope", "x", "--visibility", "\x02"}), 1,
                  "is none of after_due_date, after_published, hidden, visible.");
}

TEST_F(CliTest, NoLibraryIsTakenFromTheFolderInWhichItRuns) {
  for (const char* name : {"libarchive.so.13", "libcrypto.so.3", "libsqlite3.so.0"}) {
    write(name, "not a library\n");
  }
  EXPECT_EQ(grade({right_, "--out", "out"}).exit_code, 0);
}

TEST_F(CliTest, WhatOnlyPushingNeedsIsNotLoadedAtEveryStart) {
  // The system's loader lists what it would load, and starts nothing.
  const Ending listed = run({"--help"}, [] { setenv("LD_TRACE_LOADED_OBJECTS", "1", 1); });
  EXPECT_NE(listed.out.find("libcrypto"), std::string::npos) << listed.out;
  EXPECT_EQ(listed.out.find("libcurl"), std::string::npos) << listed.out;
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

}  // namespace
}  // namespace grader
