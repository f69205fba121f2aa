// Ends the grader at random moments of compiling and grading: no process, mount or file outlives it
// for longer than until the next start.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

class KilledTest : public CliTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    // Whatever outlives the grader becomes a child of this process.
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    fs::create_directory(temporary_);
    setenv("TMPDIR", temporary_.c_str(), 1);
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
  }
  void TearDown() override { unsetenv("TMPDIR"); }

  pid_t start() {
    const pid_t child = fork();
    if (child == 0) {
      const int nothing = open("/dev/null", O_RDWR);
      dup2(nothing, STDOUT_FILENO);
      dup2(nothing, STDERR_FILENO);
      if (chdir(folder_.path().c_str()) == 0) {
        execl(PROGRAM, PROGRAM, "grade", "--assignment", TOY, wrong_.c_str(), "--out", "out",
              "--isolation", GetParam(), nullptr);
      }
      _exit(127);
    }
    started_.insert(child);
    return child;
  }

  /// How it ended, after `moment` and the signal.
  static int end(pid_t grader, milliseconds moment, int signal) {
    std::this_thread::sleep_for(moment);
    kill(grader, signal);
    int status = 0;
    EXPECT_EQ(waitpid(grader, &status, 0), grader);
    return status;
  }

  static std::string remaining_processes() {
    // On a busy machine the kernel takes its time to end them.
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (Clock::now() < deadline) {
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0) return {};
      if (ended == 0) std::this_thread::sleep_for(milliseconds(5));
    }
    std::string names;
    std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child = 0; children >> child;) {
      std::string name;
      std::getline(std::ifstream("/proc/" + std::to_string(child) + "/cmdline"), name);
      names += name + "\n";
      kill(child, SIGKILL);
    }
    return names;
  }

  static std::ptrdiff_t entries_in(const fs::path& directory) {
    return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  }

  /// Names of control groups that the graders of this test have left.
  [[nodiscard]] std::vector<std::string> abandoned_groups() const {
    std::vector<std::string> names;
    const auto options = fs::directory_options::skip_permission_denied;
    std::error_code error;
    for (fs::recursive_directory_iterator entry("/sys/fs/cgroup", options, error), end;
         !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename();
      const std::string prefix = "attention-grader-";
      if (!name.starts_with(prefix)) continue;
      const pid_t owner = std::atoi(name.c_str() + prefix.size());
      if (started_.contains(owner)) names.push_back(entry->path());
    }
    return names;
  }

  std::set<pid_t> started_;
  const fs::path temporary_ = folder_.path() / "tmp";
  const fs::path cache_ = folder_.path() / "cache";
};

TEST_P(KilledTest, LeavesNothingWhicheverMomentItIs) {
  const auto begin = Clock::now();
  ASSERT_EQ(end(start(), std::chrono::seconds(0), 0), 0) << "undisturbed";
  const auto whole = std::chrono::duration_cast<milliseconds>(Clock::now() - begin).count();
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<std::int64_t> moments(0, whole);
  constexpr int kTimes = 8;
  for (int time = 0; time < kTimes; ++time) {
    // The contract has to be prepared again, too, which is most of the time.
    if (time % 2 == 0) fs::remove_all(cache_);
    const milliseconds moment(moments(random) / (time % 2 == 0 ? 1 : 4));
    const int signal = time % 4 == 3 ? SIGTERM : SIGKILL;
    const int status = end(start(), moment, signal);
    const std::string when = "signal " + std::to_string(signal) + " after " +
                             std::to_string(moment.count()) + " of " + std::to_string(whole) +
                             " ms";
    EXPECT_TRUE(WIFSIGNALED(status) ? WTERMSIG(status) == signal : status == 0) << when;
    EXPECT_EQ(remaining_processes(), "") << when;
    std::string mounts;
    std::getline(std::ifstream("/proc/self/mounts"), mounts, '\0');
    EXPECT_EQ(mounts.find(folder_.path().string()), std::string::npos) << when;
  }
  ASSERT_EQ(end(start(), std::chrono::seconds(0), 0), 0) << "as if nothing had been";
  EXPECT_EQ(entries_in(temporary_), 0);
  EXPECT_EQ(entries_in(folder_.path() / "out"), 3) << "scorecard, web page and submission";
  EXPECT_EQ(entries_in(cache_ / "attention-grader"), 2) << "what was prepared, and its lock";
  EXPECT_EQ(abandoned_groups(), std::vector<std::string>{});
}

TEST_P(KilledTest, InterruptedItCleansUpItself) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t grader = start();
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (entries_in(temporary_) == 0 && Clock::now() < deadline) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    const int status = end(grader, milliseconds(0), signal);
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(remaining_processes(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, KilledTest, testing::Values("L4", "L2"),
                         [](const auto& level) { return std::string(level.param); });

}  // namespace
}  // namespace grader
