// Faults of the machine while a right submission is graded: it gets full marks, or an environment
// error without a score. Never a zero, and never nothing at all.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cstdio>

#include "grader/cli/container.hpp"
#include "grader/cli/installed_fixture.hpp"

namespace grader {
namespace {

class FaultsTest : public InstalledTest {
 protected:
  [[nodiscard]] Ending grade_where(const std::function<void()>& fault) const {
    fs::remove_all(folder_.path() / "graded");
    return run_as(fault, {"grade", "--assignment", "toy", "mean.cpp", "--out", "graded"});
  }

  /// True for full marks; false for an environment error that says what to do and gives no score.
  [[nodiscard]] bool is_full_marks_or_no_score(const Ending& result) const {
    if (result.exit_code == 0) {
      EXPECT_EQ(scorecard("graded")["score"], 10) << result.out;
      return true;
    }
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_FALSE(result.err.empty() && result.out.empty());
    if (fs::exists(folder_.path() / "graded/scorecard.json")) {
      EXPECT_EQ(scorecard("graded")["status"], "environment_error");
      EXPECT_TRUE(scorecard("graded")["score"].is_null());
    }
    return false;
  }

  /// Nothing is left in the folder for temporary files.
  void expect_no_leftovers() const {
    EXPECT_TRUE(fs::is_empty(temporary_)) << fs::directory_iterator(temporary_)->path();
  }

  void SetUp() override {
    InstalledTest::SetUp();
    if (IsSkipped()) return;
    temporary_ = folder_.path() / "temporary";
    fs::create_directory(temporary_);
    fs::permissions(temporary_, fs::perms(0777));
    setenv("TMPDIR", temporary_.c_str(), 1);
  }
  void TearDown() override { unsetenv("TMPDIR"); }

  /// Sanitizers need processes, memory and libraries of their own.
  static bool is_sanitized() {
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
  }

  fs::path temporary_;
};

/// Puts something that cannot be run in the place of `program`, for this process and its children.
void hide(const char* program) {
  if (unshare(CLONE_NEWNS) != 0 ||
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("/dev/null", program, nullptr, MS_BIND, nullptr) != 0) {
    _exit(126);
  }
}

/// Not one more than `most` of `resource`.
void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  if (setrlimit(resource, &both) != 0) _exit(126);
}

TEST_F(FaultsTest, AMissingCompilerGivesNoScore) {
  const Ending result = grade_where([] { hide("/usr/bin/g++"); });
  if (result.exit_code == 126) GTEST_SKIP() << "nothing can be hidden here";
  EXPECT_FALSE(is_full_marks_or_no_score(result));
  EXPECT_NE((result.out + result.err).find("The compiler g++ is not installed."), std::string::npos)
      << result.out << result.err;
  expect_no_leftovers();
}

TEST_F(FaultsTest, WithoutBubblewrapALowerLevelGrades) {
  const Ending result = grade_where([] { hide("/usr/bin/bwrap"); });
  if (result.exit_code == 126) GTEST_SKIP() << "nothing can be hidden here";
  EXPECT_TRUE(is_full_marks_or_no_score(result));
  EXPECT_EQ(scorecard("graded")["grader"]["isolation"]["level"], "L2");
  expect_no_leftovers();
}

TEST_F(FaultsTest, ExhaustedProcessesGiveNoScore) {
  if (is_sanitized()) GTEST_SKIP() << "the sanitizers would not start";
  int without_score = 0;
  for (const rlim_t most : {1U, 2U, 3U, 4U, 6U, 9U, 14U, 20U}) {
    SCOPED_TRACE(most);
    without_score += is_full_marks_or_no_score(grade_where([most] {
      become_nobody();
      limit(RLIMIT_NPROC, most);
    }))
                         ? 0
                         : 1;
    expect_no_leftovers();
  }
  EXPECT_GT(without_score, 0);
}

TEST_F(FaultsTest, ExhaustedDescriptorsGiveNoScore) {
  if (is_sanitized()) GTEST_SKIP() << "the sanitizers would not start";
  int without_score = 0;
  for (rlim_t most = 6; most <= 25; ++most) {
    SCOPED_TRACE(most);
    without_score +=
        is_full_marks_or_no_score(grade_where([most] { limit(RLIMIT_NOFILE, most); })) ? 0 : 1;
    expect_no_leftovers();
  }
  EXPECT_GT(without_score, 0);
}

TEST_F(FaultsTest, ExhaustedMemoryGivesNoScore) {
  if (is_sanitized()) GTEST_SKIP() << "the sanitizers would not start";
  int without_score = 0;
  constexpr rlim_t kMegabyte = rlim_t{1} << 20U;
  for (const rlim_t most : {80U, 120U, 200U, 400U, 800U}) {
    SCOPED_TRACE(most);
    without_score +=
        is_full_marks_or_no_score(grade_where([most] { limit(RLIMIT_AS, most * kMegabyte); })) ? 0
                                                                                               : 1;
    expect_no_leftovers();
  }
  EXPECT_GT(without_score, 0);
}

/// A submission that crashes while the line of the crash cannot be looked for.
class UnlocatedTest : public FaultsTest {
 protected:
  /// The grade of a crash, with or without a line.
  nlohmann::json grade_crash(const std::function<void()>& fault) const {
    write("mean.cpp",
          "#include \"toy/mean.hpp\"\n"
          "double toy::mean(const Row&) {\n"
          "  return *static_cast<volatile const double*>(nullptr);\n"
          "}\n");
    const Ending result = grade_where(fault);
    if (result.exit_code == 126) return {};
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    auto card = scorecard("graded");
    EXPECT_EQ(card["status"], "graded");
    EXPECT_EQ(card["score"], 0);
    EXPECT_EQ(card["checks"][0]["fault"]["kind"], "SIGSEGV");
    expect_no_leftovers();
    return card;
  }

  /// The grade stands without lines, and says so.
  void expect_grade_without_line(const std::function<void()>& fault) const {
    const auto located = grade_crash([] {});
    if (located["grader"]["isolation"]["level"] < "L3") {
      GTEST_SKIP() << "lines are looked for from L3 on";
    }
    EXPECT_EQ(located["checks"][0]["fault"]["line"], 3);
    EXPECT_TRUE(located["notices"].empty()) << located["notices"];
    const auto card = grade_crash(fault);
    if (card.is_null()) GTEST_SKIP() << "nothing can be hidden here";
    EXPECT_EQ(card["checks"][0]["fault"]["file"], "");
    ASSERT_EQ(card["notices"].size(), 1U) << card["notices"];
    const std::string notice = card["notices"][0];
    EXPECT_TRUE(notice.starts_with("The lines of faults could not be looked for: ")) << notice;
  }
};

/// Where the compiler finds `library`.
std::string library_file(const std::string& library) {
  char answer[4096] = {};
  FILE* pipe = popen(("g++ -print-file-name=" + library).c_str(), "r");
  if (pipe == nullptr) return {};
  const bool is_read = fgets(answer, sizeof answer, pipe) != nullptr;
  pclose(pipe);
  const std::string line = is_read ? answer : "";
  return line.substr(0, line.find('\n'));
}

TEST_F(UnlocatedTest, AMissingSanitizerLeavesTheGrade) {
  if (is_sanitized()) GTEST_SKIP() << "the grader itself would not start";
  const std::vector<std::string> files = {library_file("libasan.so"), library_file("libasan.a")};
  expect_grade_without_line([&] {
    for (const std::string& file : files) hide(file.c_str());
  });
}

TEST_F(UnlocatedTest, AMissingToolLeavesTheGrade) {
  expect_grade_without_line([] { hide("/usr/bin/addr2line"); });
}

TEST_F(FaultsTest, AClockThatJumpsChangesNothing) {
  if (is_sanitized()) GTEST_SKIP() << "the sanitizers would not start";
  const Ending result = grade_where([] { setenv("LD_PRELOAD", CLOCK_JUMPS, 1); });
  EXPECT_TRUE(is_full_marks_or_no_score(result));
  EXPECT_LT(scorecard("graded")["timing"]["total"].get<double>(), 600);
  expect_no_leftovers();
}

}  // namespace
}  // namespace grader
