// Looks for the lines of real faults in real boxes, and for none where the machine is at fault.
#include "grader/fault_location/locate_faults.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

class LocateFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!layers().namespaces) GTEST_SKIP() << "lines are looked for from L3 on";
    setenv("XDG_CACHE_HOME", TEST_CACHE, 1);
  }

  /// A submission whose function mean has `body`, from line 4 on.
  void submit(const std::string& body) {
    submission_.directory = folder_.path() / "submission";
    submission_.sources = {"mean.cpp"};
    submission_.files = {{.name = "mean.cpp", .bytes = 0, .sha256 = {}}};
    fs::create_directories(submission_.directory);
    std::ofstream(submission_.directory / "mean.cpp")
        << "#include \"toy/mean.hpp\"\n#include <unistd.h>\n"
        << "double toy::mean(const Row& values) {\n"
        << body << "}\n";
    open_for_reading(submission_.directory);
  }

  /// The result of a check that met the fault `kind`.
  static CheckResult faulty(CheckStatus status, const std::string& kind) {
    CheckResult result;
    result.id = "mean.value";
    result.status = status;
    result.fault =
        Fault{.kind = kind, .function = "mean", .message = {}, .file = {}, .line = 0, .access = {}};
    result.faulting_call = RecordedCall{"mean", {RowVector{{1.0, 2.0, 3.0}}}};
    return result;
  }

  std::vector<std::string> locate(CheckResult result) {
    results_ = {std::move(result)};
    return locate_faults(results_, submission_, assignment_,
                         folder_.path() / ("workspace" + std::to_string(++count_)));
  }
  std::vector<std::string> locate_crash() {
    return locate(faulty(CheckStatus::crashed, "SIGSEGV"));
  }
  std::vector<std::string> locate_hang() {
    return locate(faulty(CheckStatus::timed_out, "time limit"));
  }
  [[nodiscard]] const Fault& fault() const { return *results_.front().fault; }

  void submit_crash() { submit("  return *static_cast<volatile const double*>(nullptr);\n"); }

  const LoadedAssignment assignment_ = load_assignment(TOY);
  const TemporaryDirectory folder_;
  Submission submission_;
  std::vector<CheckResult> results_;
  int count_ = 0;
};

TEST_F(LocateFaultsTest, FindsTheLineOfACrash) {
  submit_crash();
  EXPECT_TRUE(locate_crash().empty());
  EXPECT_EQ(fault().file, "mean.cpp");
  EXPECT_EQ(fault().line, 4);
  EXPECT_EQ(fault().access, "a null pointer is read");
}

TEST_F(LocateFaultsTest, FindsTheSameLoopEveryTime) {
  submit(
      "  double sum = 0;\n"
      "  std::size_t index = 0;\n"
      "  while (index < values.size()) {\n"
      "    sum += values[index];\n"
      "  }\n"
      "  return sum;\n");
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(locate_hang().empty());
    EXPECT_EQ(fault().file, "mean.cpp");
    EXPECT_EQ(fault().line, 6);
    EXPECT_EQ(fault().access,
              "a loop that was still running when the call was stopped (lines 6 to 7)");
  }
}

TEST_F(LocateFaultsTest, FindsNoLineOfACallThatReturnsOrWaits) {
  submit("  return values[0];\n");
  EXPECT_TRUE(locate_hang().empty());
  EXPECT_EQ(fault().file, "");
  submit("  for (;;) ::sleep(1000);\n");
  EXPECT_TRUE(locate_hang().empty());
  EXPECT_EQ(fault().file, "");
}

TEST_F(LocateFaultsTest, SaysThatASubmissionCannotBeCompiledAgain) {
  submit("#ifdef __SANITIZE_ADDRESS__\n#error never\n#endif\n  return 0;\n");
  const auto notices = locate_crash();
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].find("could not be compiled again"), std::string::npos);
}

TEST_F(LocateFaultsTest, ExhaustedProcessesAreTheMachinesFault) {
  submit_crash();
  locate_crash();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NPROC, &before), 0);
  const rlimit none{1, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NPROC, &none), 0);
  EXPECT_THROW(locate_crash(), EnvironmentFault);
  EXPECT_EQ(fault().file, "");
  setrlimit(RLIMIT_NPROC, &before);
}

TEST_F(LocateFaultsTest, AFolderThatCannotBeMadeIsTheMachinesFault) {
  submit_crash();
  results_ = {faulty(CheckStatus::crashed, "SIGSEGV")};
  EXPECT_THROW(locate_faults(results_, submission_, assignment_, "/dev/null/workspace"),
               EnvironmentFault);
  EXPECT_EQ(fault().file, "");
}

/// Ends every box of this process from outside while it lives.
class BoxKiller {
 public:
  BoxKiller() : thread_([this] { run(); }) {}
  ~BoxKiller() {
    done_ = true;
    thread_.join();
  }
  BoxKiller(const BoxKiller&) = delete;
  BoxKiller& operator=(const BoxKiller&) = delete;

 private:
  void run() const {
    while (!done_) {
      for (const auto& entry : fs::directory_iterator("/proc")) {
        std::string number, name, state;
        pid_t parent = 0;
        std::ifstream(entry.path() / "stat") >> number >> name >> state >> parent;
        if (name == "(bwrap)" && parent == ::getpid()) ::kill(std::stoi(number), SIGKILL);
      }
    }
  }
  std::atomic<bool> done_{false};
  std::thread thread_;
};

TEST_F(LocateFaultsTest, ABoxThatDiesIsTheMachinesFault) {
  submit_crash();
  locate_crash();  // makes what is kept
  const BoxKiller killer;
  EXPECT_THROW(locate_crash(), EnvironmentFault);
  EXPECT_EQ(fault().file, "");
}

}  // namespace
}  // namespace grader
