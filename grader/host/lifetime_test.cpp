// Who ends whom: nothing of a box outlives the grader, and the grader outlives a lost box.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

using std::chrono::milliseconds;

const Type kInteger{Kind::integer, {}};
const Type kNumber{Kind::number, {}};
const Contract kContract{{"behave", {{"kind", kInteger}, {"number", kNumber}}, kNumber}};
const Arguments kRoot{std::int64_t{0}, 4.0};
const Arguments kLoop{std::int64_t{4}, 0.0};

std::filesystem::path misbehaving() {
  return std::filesystem::path(TEST_SUBMISSIONS) / "host_test_misbehaving.so";
}

/// All processes below `ancestor`, nearest first.
std::vector<pid_t> descendants(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  if (DIR* directory = ::opendir("/proc")) {
    while (const dirent* entry = ::readdir(directory)) {
      std::ifstream stream(std::string("/proc/") + entry->d_name + "/stat");
      std::string line;
      if (!std::getline(stream, line)) {
        continue;
      }
      std::istringstream rest(line.substr(line.rfind(')') + 1));
      char state = 0;
      pid_t parent = 0;
      rest >> state >> parent;
      children.emplace(parent, std::atoi(entry->d_name));
    }
    ::closedir(directory);
  }
  std::vector<pid_t> found;
  std::vector<pid_t> open = {ancestor};
  while (!open.empty()) {
    const pid_t parent = open.front();
    open.erase(open.begin());
    const auto [first, last] = children.equal_range(parent);
    for (auto child = first; child != last; ++child) {
      found.push_back(child->second);
      open.push_back(child->second);
    }
  }
  return found;
}

bool running(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(stream, line)) {
    return false;
  }
  const char state = line[line.rfind(')') + 2];
  return state != 'Z' && state != 'X';
}

bool all_gone_within(const std::vector<pid_t>& processes, milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    bool any = false;
    for (const pid_t process : processes) {
      any = any || running(process);
    }
    if (!any) {
      return true;
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

/// The zygote, the child that has the submission, the watcher, and bwrap where that is used.
std::size_t processes_of_box() { return layers().namespaces ? 4 : 3; }

/// All of the box of this process but the watcher, which is a shell and ends with the grader.
std::vector<pid_t> box_of_this_process() {
  std::vector<pid_t> box = descendants(::getpid());
  std::erase_if(box, [](pid_t process) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(process) + "/comm"), name);
    return name == "sh";
  });
  return box;
}

TEST(LifetimeTest, NothingOutlivesAKilledGrader) {
  const pid_t grader = ::fork();
  if (grader == 0) {
    SandboxedImplementation implementation(kContract, misbehaving(), Limits{});
    implementation.call(0, kLoop);
    ::_exit(0);
  }
  std::vector<pid_t> box;
  for (int attempt = 0; attempt < 400 && box.size() < processes_of_box(); ++attempt) {
    std::this_thread::sleep_for(milliseconds(5));
    box = descendants(grader);
  }
  ASSERT_GE(box.size(), processes_of_box());
  ::kill(grader, SIGKILL);
  ::waitpid(grader, nullptr, 0);
  EXPECT_TRUE(all_gone_within(box, milliseconds(3000)));
}

TEST(LifetimeTest, NothingOutlivesTheImplementation) {
  std::vector<pid_t> box;
  {
    SandboxedImplementation implementation(kContract, misbehaving(), Limits{});
    implementation.call(0, kRoot);
    box = descendants(::getpid());
    ASSERT_GE(box.size(), processes_of_box());
  }
  EXPECT_TRUE(all_gone_within(box, milliseconds(1000)));
  EXPECT_TRUE(descendants(::getpid()).empty()) << "not even as a zombie";
}

TEST(LifetimeTest, ALostBoxIsReplaced) {
  SandboxedImplementation implementation(kContract, misbehaving(), Limits{});
  ASSERT_EQ(implementation.call(0, kRoot).ending, Ending::returned);
  const std::vector<pid_t> box = box_of_this_process();
  ::kill(box.at(0), SIGKILL);
  ASSERT_TRUE(all_gone_within(box, milliseconds(3000)));
  const Outcome outcome = implementation.call(0, kRoot);
  ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
  EXPECT_EQ(std::get<double>(outcome.value), 2.0);
}

TEST(LifetimeTest, ABoxLostDuringACallIsReplaced) {
  Limits limits;
  limits.call_wall_ms = 2000;
  SandboxedImplementation implementation(kContract, misbehaving(), limits);
  ASSERT_EQ(implementation.call(0, kRoot).ending, Ending::returned);
  const std::vector<pid_t> box = box_of_this_process();
  std::thread killer([&] {
    std::this_thread::sleep_for(milliseconds(100));
    ::kill(box.at(0), SIGKILL);
  });
  EXPECT_EQ(implementation.call(0, kLoop).ending, Ending::timed_out);
  killer.join();
  EXPECT_EQ(implementation.call(0, kRoot).ending, Ending::returned);
}

}  // namespace
}  // namespace grader
