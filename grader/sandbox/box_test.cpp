#include "grader/sandbox/box.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <future>
#include <set>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/sandbox/level.hpp"
#include "grader/sandbox/transient_user.hpp"

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
  command.arguments = {"/usr/bin/g++", "-c", "-x", "c++", "/source/a.cpp", "-o", "/output/a.o"};
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
  if (!layers().namespaces && !layers().landlock) {
    GTEST_SKIP() << "nothing hides files at L0";
  }
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
  EXPECT_EQ(run_in_box(shell("echo x > ${TMPDIR:-/tmp}/x")).exit_code, 0);
}

TEST(BoxTest, CannotWriteToAReadOnlyMount) {
  if (!layers().namespaces && !layers().landlock) {
    GTEST_SKIP() << "at L0 only another user's rights protect files";
  }
  const TemporaryDirectory directory;
  std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
  BoxCommand command = shell("echo x > x");
  command.directory = "/source";
  command.mounts = {{directory.path(), "/source", false}};
  EXPECT_NE(run_in_box(command).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(BoxTest, IsAnotherUserThanRoot) {
  const std::string user = run_in_box(shell("id -u")).output;
  if (layers().namespaces) {
    EXPECT_EQ(user, "1000\n");
  } else if (layers().own_user) {
    EXPECT_GE(std::stoul(user), kFirstTransientUser);
  } else {
    EXPECT_EQ(user, std::to_string(::geteuid()) + "\n");
  }
}

/// The owners of all processes whose command line holds `word`, as seen from here.
std::set<uid_t> owners_of(const std::string& word) {
  std::set<uid_t> owners;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string line;
    std::getline(file, line);
    struct stat status {};
    if (line.find(word) != std::string::npos && ::stat(entry.path().c_str(), &status) == 0) {
      owners.insert(status.st_uid);
    }
  }
  return owners;
}

TEST(BoxTest, IsNeverRootSeenFromOutside) {
  if (::geteuid() != 0 || isolation_limit() == Level::l1) {
    GTEST_SKIP() << "for root alone, and L1 is the level of the same user";
  }
  auto running =
      std::async(std::launch::async, [] { return run_in_box(shell("sleep 1.0625; exit 5")); });
  std::set<uid_t> owners;
  while (owners.empty() &&
         running.wait_for(std::chrono::milliseconds(10)) == std::future_status::timeout) {
    owners = owners_of("1.0625");
  }
  EXPECT_EQ(running.get().exit_code, 5);
  ASSERT_FALSE(owners.empty());
  EXPECT_GE(*owners.begin(), kFirstTransientUser) << "root is first";
}

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
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listener, generic, size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, generic, &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const std::string connect = "exec 3<>/dev/tcp/127.0.0.1/" + port;
  ASSERT_EQ(std::system(("bash -c '" + connect + "'").c_str()), 0) << "works outside";
  BoxCommand command = shell("");
  command.arguments = {"/bin/bash", "-c", connect};
  EXPECT_NE(run_in_box(command).exit_code, 0);
  ::close(listener);
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
  BoxCommand command = shell("yes | head -c 3000000 > ${TMPDIR:-/tmp}/x || exit 9");
  EXPECT_EQ(run_in_box(command).exit_code, 0);
  command.limits.file_size = 1 << 20;
  EXPECT_NE(run_in_box(command).exit_code, 0);
}

TEST(BoxTest, LimitsMemory) {
  BoxCommand command = shell("dd if=/usr/lib/os-release of=/dev/null bs=400M count=1 2>&1");
  EXPECT_EQ(run_in_box(command).exit_code, 0);
  command.limits.memory = std::int64_t{200} << 20;
  EXPECT_NE(run_in_box(command).exit_code, 0);
}

TEST(BoxTest, LimitsProcesses) {
  if (!layers().namespaces && !layers().own_user) {
    GTEST_SKIP() << "the kernel counts the processes of a user, and this one has others";
  }
  BoxCommand command =
      shell("i=0; while [ $i -lt 20 ]; do sleep 5 & i=$((i+1)); done; echo all started");
  command.limits.wall_ms = 4000;
  command.limits.processes = 30;
  EXPECT_NE(run_in_box(command).output.find("all started"), std::string::npos);
  command.limits.processes = 10;
  EXPECT_EQ(run_in_box(command).output.find("all started"), std::string::npos);
}

TEST(BoxTest, SignalsNoGroupOfProcesses) {
  EXPECT_EQ(run_in_box(shell("(kill -9 0; kill -9 -1) 2>/dev/null; echo here")).output, "here\n");
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
