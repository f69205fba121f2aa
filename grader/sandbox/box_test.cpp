#include "grader/sandbox/box.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

BoxCommand shell(const std::string& script) {
  BoxCommand command;
  command.arguments = {"/bin/sh", "-c", script};
  command.environment = {"PATH=/usr/bin:/bin"};
  return command;
}

TEST(BoxTest, RunsACommandAndKeepsItsOutput) {
  const BoxResult result = run_in_box(shell("echo to stdout; echo to stderr >&2; exit 3"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.output, "to stdout\nto stderr\n");
  EXPECT_FALSE(result.output_cut);
}

TEST(BoxTest, CompilesWithTheToolchain) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() / "a.cpp") << "#include <vector>\nint main() { return 0; }\n";
  BoxCommand command;
  command.arguments = {"/usr/bin/g++", "-c", "/source/a.cpp", "-o", "/output/a.o"};
  command.environment = {"PATH=/usr/bin:/bin"};
  std::filesystem::create_directory(directory.path() / "output");
  command.mounts = {{directory.path() / "a.cpp", "/source/a.cpp", false},
                    {directory.path() / "output", "/output", true}};
  const BoxResult result = run_in_box(command);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "output/a.o"));
  EXPECT_GT(result.cpu_seconds, 0.0);
}

TEST(BoxTest, HidesTheHostsFiles) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() / "secret") << "secret";
  const std::string secret = directory.path() / "secret";
  EXPECT_NE(run_in_box(shell("cat " + secret)).exit_code, 0);
  EXPECT_NE(run_in_box(shell("cat /etc/passwd")).exit_code, 0);
  EXPECT_NE(run_in_box(shell("ls /proc/1")).exit_code, 0);
}

TEST(BoxTest, CannotWriteOutsideItsScratchDirectory) {
  EXPECT_NE(run_in_box(shell("echo x > /usr/x")).exit_code, 0);
  EXPECT_NE(run_in_box(shell("echo x > /x")).exit_code, 0);
  EXPECT_EQ(run_in_box(shell("echo x > /tmp/x")).exit_code, 0);
}

TEST(BoxTest, CannotWriteToAReadOnlyMount) {
  const TemporaryDirectory directory;
  BoxCommand command = shell("echo x > /source/x");
  command.mounts = {{directory.path(), "/source", false}};
  EXPECT_NE(run_in_box(command).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(BoxTest, IsNotRootInside) { EXPECT_EQ(run_in_box(shell("id -u")).output, "1000\n"); }

TEST(BoxTest, InheritsNoDescriptorsAndNoEnvironment) {
  ::setenv("ATTENTION_GRADER_TEST_SECRET", "secret", 1);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(run_in_box(shell("echo x >&" + std::to_string(ends[1]))).exit_code, 2);
  EXPECT_EQ(run_in_box(shell("echo $ATTENTION_GRADER_TEST_SECRET")).output, "\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(BoxTest, HasNoNetwork) {
  const BoxResult result =
      run_in_box(shell("/usr/bin/python3 -c 'import socket; "
                       "socket.create_connection((\"127.0.0.1\", 1), 1)'"));
  EXPECT_NE(result.exit_code, 0);
  const BoxResult devices = run_in_box(shell("ls /sys/class/net"));
  EXPECT_NE(devices.exit_code, 0);
}

TEST(BoxTest, EndsAtTheWallLimitWithItsWholeTree) {
  BoxCommand command = shell("(setsid sleep 30 &) ; sleep 30");
  command.limits.wall_ms = 300;
  const auto start = std::chrono::steady_clock::now();
  const BoxResult result = run_in_box(command);
  EXPECT_TRUE(result.wall_exceeded);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST(BoxTest, EndsAtTheProcessorLimit) {
  BoxCommand command = shell("while :; do :; done");
  command.limits.cpu_ms = 1000;
  const BoxResult result = run_in_box(command);
  EXPECT_TRUE(result.cpu_exceeded);
  EXPECT_FALSE(result.wall_exceeded);
  EXPECT_NE(result.signal, 0);
}

TEST(BoxTest, CutsAFloodOfOutput) {
  BoxCommand command = shell("yes | head -c 20000000");
  command.limits.output = 1000;
  const BoxResult result = run_in_box(command);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output.size(), 1000U);
  EXPECT_TRUE(result.output_cut);
}

TEST(BoxTest, LimitsFileSize) {
  BoxCommand command = shell("head -c 3000000 /dev/zero > /tmp/x || exit 9");
  command.arguments[2] = "yes | head -c 3000000 > /tmp/x || exit 9";
  command.limits.file_size = 1 << 20;
  EXPECT_NE(run_in_box(command).exit_code, 0);
}

TEST(BoxTest, LimitsMemory) {
  BoxCommand command = shell("/usr/bin/python3 -c 'x = bytearray(400 << 20)'");
  command.limits.memory = std::int64_t{200} << 20;
  EXPECT_NE(run_in_box(command).exit_code, 0);
}

TEST(BoxTest, LimitsProcesses) {
  BoxCommand command =
      shell("i=0; while [ $i -lt 40 ]; do sleep 5 & i=$((i+1)); done; echo all started; kill 0");
  command.limits.processes = 10;
  command.limits.wall_ms = 3000;
  EXPECT_EQ(run_in_box(command).output.find("all started"), std::string::npos);
}

TEST(BoxTest, ReportsTheSignalThatEndedTheCommand) {
  EXPECT_EQ(run_in_box(shell("kill -SEGV $$")).signal, SIGSEGV);
}

TEST(BoxTest, RefusesMountsWithinMounts) {
  BoxCommand command = shell("true");
  command.mounts = {{"/usr", "/source", false}, {"/usr", "/source/inner", false}};
  EXPECT_THROW(run_in_box(command), InternalFault);
}

TEST(BoxTest, FaultsWhenAMountIsMissing) {
  BoxCommand command = shell("true");
  command.mounts = {{"/nonexistent/file", "/source", false}};
  EXPECT_THROW(run_in_box(command), EnvironmentFault);
}

}  // namespace
}  // namespace grader
