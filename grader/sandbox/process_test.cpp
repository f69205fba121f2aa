#include "grader/sandbox/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string read_all(int descriptor) {
  std::string text;
  char buffer[1024];
  ssize_t count = 0;
  while ((count = ::read(descriptor, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

/// Output of a shell script that gets `options` besides.
std::string shell(const std::string& script, SpawnOptions options = {}) {
  auto [read_end, write_end] = make_pipe();
  options.arguments = {"/bin/sh", "-c", script};
  options.descriptors.push_back({write_end.get(), 1});
  Process process = Process::spawn(options);
  write_end.reset();
  std::string output = read_all(read_end.get());
  process.wait_until(Clock::now() + seconds(10));
  return output;
}

TEST(ProcessTest, ReportsHowItEnded) {
  SpawnOptions options;
  options.arguments = {"/bin/sh", "-c", "exit 7"};
  Process process = Process::spawn(options);
  const auto end = process.wait_until(Clock::now() + seconds(10));
  ASSERT_TRUE(end);
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
  EXPECT_FALSE(process.running());
}

TEST(ProcessTest, StopsWaitingAtTheDeadline) {
  SpawnOptions options;
  options.arguments = {"/bin/sleep", "30"};
  Process process = Process::spawn(options);
  const auto start = Clock::now();
  EXPECT_FALSE(process.wait_until(start + milliseconds(50)));
  EXPECT_GE(Clock::now() - start, milliseconds(50));
  process.kill();
  const auto end = process.wait_until(Clock::now() + seconds(10));
  ASSERT_TRUE(end);
  EXPECT_EQ(WTERMSIG(end->status), SIGKILL);
}

TEST(ProcessTest, DiesWithItsOwner) {
  pid_t pid = 0;
  {
    SpawnOptions options;
    options.arguments = {"/bin/sleep", "30"};
    const Process process = Process::spawn(options);
    pid = process.pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ProcessTest, FaultsWhenTheProgramIsMissing) {
  SpawnOptions options;
  options.arguments = {"/nonexistent/program"};
  try {
    Process::spawn(options);
    FAIL() << "started nothing";
  } catch (const EnvironmentFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("/nonexistent/program"), std::string::npos);
    EXPECT_FALSE(fault.hint().empty());
  }
}

TEST(ProcessTest, PassesExactlyTheNamedDescriptors) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() / "file") << "content";
  auto [first, first_end] = make_pipe();
  auto [second, second_end] = make_pipe();
  ASSERT_EQ(::write(first_end.get(), "a", 1), 1);
  ASSERT_EQ(::write(second_end.get(), "b", 1), 1);
  first_end.reset();
  second_end.reset();
  SpawnOptions options;
  // Crossed on purpose: each takes the number that the other has here.
  options.descriptors = {{first.get(), second.get()}, {second.get(), first.get()}};
  const std::string at_first = "/dev/fd/" + std::to_string(first.get());
  const std::string at_second = "/dev/fd/" + std::to_string(second.get());
  EXPECT_EQ(shell("cat " + at_first + " " + at_second, options), "ba");
  EXPECT_EQ(shell("ls /proc/self/fd"), "0\n1\n2\n3\n") << "3 is the directory itself";
  EXPECT_EQ(shell("readlink /proc/self/fd/0 /proc/self/fd/2"), "/dev/null\n/dev/null\n");
}

TEST(ProcessTest, InheritsNoEnvironment) {
  ::setenv("ATTENTION_GRADER_TEST_SECRET", "secret", 1);
  SpawnOptions options;
  options.environment = {"GIVEN=given"};
  EXPECT_EQ(shell("echo $GIVEN-$ATTENTION_GRADER_TEST_SECRET", options), "given-\n");
}

TEST(ProcessTest, SetsLimitsWithoutRaisingThem) {
  SpawnOptions options;
  options.limits = {{RLIMIT_NOFILE, 50, 60}};
  EXPECT_EQ(shell("ulimit -Sn; ulimit -Hn", options), "50\n60\n");
}

TEST(ProcessTest, CanGiveUpRoot) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can change its user";
  }
  SpawnOptions options;
  options.credentials = Credentials{61184, 61185};
  EXPECT_EQ(shell("id -u; id -g; id -G", options), "61184\n61185\n61185\n");
}

TEST(ProcessTest, SeesEndsWhereTheCallerIgnoresChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  SpawnOptions options;
  options.arguments = {"/bin/sh", "-c", "exit 7"};
  Process process = Process::spawn(options);
  const auto end = process.wait_until(Clock::now() + seconds(10));
  std::signal(SIGCHLD, before);
  ASSERT_TRUE(end);
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
}

TEST(ProcessTest, MovesWithoutEndingWhatItOwns) {
  SpawnOptions options;
  options.arguments = {"/bin/sleep", "30"};
  Process first = Process::spawn(options);
  const pid_t pid = first.pid();
  Process second = std::move(first);
  EXPECT_TRUE(second.running());
  EXPECT_EQ(::kill(pid, 0), 0);
  second = Process();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ProcessTest, RestoresIgnoredSignals) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("kill -PIPE $$; echo alive"), "");
  std::signal(SIGPIPE, before);
}

TEST(AskCommandTest, ReturnsOutputAndExitCode) {
  const auto answer = ask_command({"/bin/sh", "-c", "echo hello; exit 3"}, seconds(5));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "hello\n");
  EXPECT_EQ(answer->exit_code, 3);
}

TEST(AskCommandTest, GivesUpOnWhatIsMissingOrSlow) {
  EXPECT_FALSE(ask_command({"/nonexistent"}, seconds(5)));
  EXPECT_FALSE(ask_command({"/bin/sleep", "30"}, milliseconds(50)));
}

TEST(AskCommandTest, DropsOutputBeyondItsLimit) {
  const auto answer = ask_command({"/bin/sh", "-c", "yes | head -c 1000000"}, seconds(5));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output.size(), 65536U);
}

}  // namespace
}  // namespace grader
