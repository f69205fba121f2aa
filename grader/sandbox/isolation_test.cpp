#include "grader/sandbox/isolation.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "grader/base/fault.hpp"
#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/doctor.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/launcher.hpp"
#include "grader/sandbox/level.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

TEST(IsolationTest, LevelFollowsFromTheLayers) {
  Layers used;
  EXPECT_EQ(used.level(), Level::none);
  used.landlock = true;
  used.own_user = true;
  EXPECT_EQ(used.level(), Level::none) << "nothing makes up for the filter of system calls";
  used.filter = true;
  EXPECT_EQ(used.level(), Level::l2);
  used.own_user = false;
  EXPECT_EQ(used.level(), Level::l1);
  used.landlock = false;
  EXPECT_EQ(used.level(), Level::l0);
  used.own_user = true;
  EXPECT_EQ(used.level(), Level::l0) << "another user can still read what is readable by all";
  used.namespaces = true;
  EXPECT_EQ(used.level(), Level::l3);
  used.cgroup = true;
  EXPECT_EQ(used.level(), Level::l4);
}

TEST(IsolationTest, ReachesNoMoreThanIsAskedFor) {
  for (const Level highest : {Level::l4, Level::l3, Level::l2, Level::l1, Level::l0, Level::none}) {
    limit_isolation(highest);
    const Isolation isolation = probe_isolation();
    const auto reached = level_named(isolation.level);
    ASSERT_TRUE(reached) << isolation.level;
    EXPECT_LE(*reached, highest);
    EXPECT_EQ(*reached == Level::l4, isolation.missing.empty()) << isolation.level;
    if (bubblewrap().works && seccomp_available() && landlock_version() > 0 &&
        user_can_be_changed() && cgroup_available()) {
      EXPECT_EQ(*reached, highest) << "this machine offers every level";
    }
  }
  unlimit_isolation();
}

TEST(IsolationTest, RefusesLessThanTheLowestLevelUnlessTold) {
  limit_isolation(Level::none);
  EXPECT_THROW(require_layers(), EnvironmentFault);
  EXPECT_THROW(launcher(), EnvironmentFault);
  unlimit_isolation();
}

TEST(IsolationTest, NamesOfLevelsLeadBack) {
  for (const char* name : {"none", "L0", "L1", "L2", "L3", "L4"}) {
    ASSERT_TRUE(level_named(name)) << name;
    EXPECT_EQ(name_of(*level_named(name)), name);
  }
  EXPECT_FALSE(level_named("L5"));
  EXPECT_FALSE(level_named(""));
}

TEST(CgroupTest, LimitsProcessesAndLeavesNothingBehind) {
  auto group = Cgroup::create(std::int64_t{64} << 20, 3);
  if (!group) {
    GTEST_SKIP() << "no control group can be made here";
  }
  const std::vector<std::string> directories = group->directories();
  SpawnOptions options;
  options.arguments = {"/bin/sh", "-c", "sleep 1 & sleep 1 & sleep 1 & sleep 1 & wait"};
  options.cgroups = directories;
  Process process = Process::spawn(options);
  const auto end = process.wait_until(Clock::now() + std::chrono::seconds(10));
  ASSERT_TRUE(end);
  EXPECT_NE(end->status, 0) << "the shell could not start its fourth process";
  group.reset();
  for (const std::string& directory : directories) {
    EXPECT_FALSE(std::filesystem::exists(directory)) << directory;
  }
}

TEST(CgroupTest, LimitsMemoryOfAllProcessesTogether) {
  auto group = Cgroup::create(std::int64_t{48} << 20, 20);
  if (!group) {
    GTEST_SKIP() << "no control group can be made here";
  }
  SpawnOptions options;
  options.arguments = {"/bin/sh", "-c",
                       "for i in 1 2 3 4; do (head -c 30000000 /dev/zero | tail -c 30000000 | "
                       "wc -c) & done; wait"};
  options.environment = {"PATH=/usr/bin:/bin"};
  options.cgroups = group->directories();
  auto [read_end, write_end] = make_pipe();
  options.descriptors = {{write_end.get(), 1}};
  Process process = Process::spawn(options);
  write_end.reset();
  process.wait_until(Clock::now() + std::chrono::seconds(10));
  char text[256];
  const ssize_t count = ::read(read_end.get(), text, sizeof text);
  const std::string output(text, count > 0 ? static_cast<std::size_t>(count) : 0);
  EXPECT_LT(output.size(), std::string("30000000\n").size() * 4) << output;
  EXPECT_GT(group->peak_memory(), std::int64_t{16} << 20);
}

TEST(DoctorTest, NamesARemedyForEverythingThatIsMissing) {
  const MachineReport report = examine_machine();
  EXPECT_GE(report.facts.size(), 8U);
  for (const MachineFact& fact : report.facts) {
    EXPECT_FALSE(fact.name.empty());
    EXPECT_FALSE(fact.detail.empty()) << fact.name;
    EXPECT_EQ(fact.remedy.empty(), fact.state == MachineFact::State::present) << fact.name;
  }
}

}  // namespace
}  // namespace grader
