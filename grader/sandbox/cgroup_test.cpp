// Control groups of a made-up tree, since no machine has every kind; those of this machine are
// tested in isolation_test.cpp.
#include "grader/sandbox/cgroup.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "grader/base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMemory = 1'000'000;
constexpr std::int64_t kProcesses = 20;

class CgroupTreeTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(process_); }

  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  static std::string read(const fs::path& file) {
    std::string text;
    std::getline(std::ifstream(file), text);
    return text;
  }

  /// A kernel that gives new groups the files `names`.
  [[nodiscard]] CgroupSystem system(const std::vector<std::string>& names) const {
    return {process_, [names](const fs::path& group) {
              if (!fs::create_directory(group)) return false;
              for (const std::string& name : names) write(group / name, "");
              return true;
            }};
  }

  [[nodiscard]] std::string mount(const std::string& device, const fs::path& directory,
                                  const std::string& type, const std::string& options) const {
    return device + " " + directory.string() + " " + type + " " + options + " 0 0\n";
  }

  const TemporaryDirectory directory_;
  const fs::path process_ = directory_.path() / "process";
  const fs::path unified_ = directory_.path() / "unified";
  const fs::path memory_ = directory_.path() / "memory";
  const fs::path pids_ = directory_.path() / "pids";
};

TEST_F(CgroupTreeTest, VersionTwoTakesASiblingWhereItsOwnGroupHasNoControllers) {
  write(process_ / "mounts", mount("cgroup2", unified_, "cgroup2", "rw,nsdelegate"));
  write(process_ / "cgroup", "0::/user.slice/app.slice/run.scope");
  write(unified_ / "user.slice/app.slice/run.scope/cgroup.subtree_control", "");
  write(unified_ / "user.slice/app.slice/cgroup.subtree_control", "cpu memory pids");
  const auto group =
      Cgroup::create(kMemory, kProcesses, system({"memory.max", "memory.swap.max", "pids.max"}));
  ASSERT_TRUE(group);
  ASSERT_EQ(group->directories().size(), 1U);
  const fs::path made = group->directories().front();
  EXPECT_EQ(made.parent_path(), unified_ / "user.slice/app.slice");
  EXPECT_EQ(read(made / "memory.max"), "1000000");
  EXPECT_EQ(read(made / "memory.swap.max"), "0");
  EXPECT_EQ(read(made / "pids.max"), "20");
}

TEST_F(CgroupTreeTest, VersionTwoWithoutItsControllersIsNone) {
  write(process_ / "mounts", mount("cgroup2", unified_, "cgroup2", "rw"));
  write(process_ / "cgroup", "0::/");
  write(unified_ / "cgroup.subtree_control", "cpu memory hugetlb");
  EXPECT_FALSE(Cgroup::create(kMemory, kProcesses, system({"memory.max"})));
  EXPECT_EQ(std::distance(fs::directory_iterator(unified_), fs::directory_iterator()), 1);
}

TEST_F(CgroupTreeTest, AGroupThatTakesNoLimitsIsRemovedAgain) {
  write(process_ / "mounts", mount("cgroup2", unified_, "cgroup2", "rw"));
  write(process_ / "cgroup", "0::/");
  write(unified_ / "cgroup.subtree_control", "memory pids");
  EXPECT_FALSE(Cgroup::create(kMemory, kProcesses, system({})));
  EXPECT_EQ(std::distance(fs::directory_iterator(unified_), fs::directory_iterator()), 1);
}

TEST_F(CgroupTreeTest, VersionOneTakesAGroupOfEachController) {
  // As systemd mounts both versions together: the second has no controller of ours.
  write(process_ / "mounts", mount("cgroup2", unified_, "cgroup2", "rw") +
                                 mount("cgroup", memory_, "cgroup", "rw,memory") +
                                 mount("cgroup", pids_, "cgroup", "rw,pids"));
  write(process_ / "cgroup", "9:memory:/docker/abc\n4:cpu,pids:/\n0::/");
  write(unified_ / "cgroup.subtree_control", "hugetlb");
  fs::create_directories(memory_ / "docker/abc");
  fs::create_directories(pids_);
  const auto group =
      Cgroup::create(kMemory, kProcesses, system({"memory.limit_in_bytes", "pids.max"}));
  ASSERT_TRUE(group);
  ASSERT_EQ(group->directories().size(), 2U);
  const fs::path memory = group->directories()[0];
  const fs::path pids = group->directories()[1];
  EXPECT_EQ(memory.parent_path(), memory_ / "docker/abc");
  EXPECT_EQ(read(memory / "memory.limit_in_bytes"), "1000000");
  EXPECT_EQ(pids.parent_path(), pids_);
  EXPECT_EQ(read(pids / "pids.max"), "20");
}

TEST_F(CgroupTreeTest, OneControllerAloneIsNone) {
  write(process_ / "mounts", mount("cgroup", memory_, "cgroup", "rw,memory"));
  write(process_ / "cgroup", "9:memory:/");
  fs::create_directories(memory_);
  EXPECT_FALSE(Cgroup::create(kMemory, kProcesses, system({"memory.limit_in_bytes"})));
}

TEST_F(CgroupTreeTest, NoGroupsAtAllIsNone) {
  EXPECT_FALSE(Cgroup::create(kMemory, kProcesses, system({})));
}

}  // namespace
}  // namespace grader
