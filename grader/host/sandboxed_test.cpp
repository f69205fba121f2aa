#include "grader/host/sandboxed.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>
#include <thread>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

using std::chrono::steady_clock;

const Type kInteger{Kind::integer, {}};
const Type kNumber{Kind::number, {}};
const Type kTable{Kind::matrix, {}};
const Type kResult{Kind::record, {{"logits", kTable}, {"weights", kTable}, {"output", kTable}}};
const Contract kContract{
    {"behave", {{"kind", kInteger}, {"number", kNumber}}, kNumber},
    {"table_of_size", {{"rows", kInteger}, {"columns", kInteger}}, kTable},
    {"attention", {{"queries", kTable}, {"keys", kTable}, {"values", kTable}}, kResult}};

Limits test_limits() {
  Limits limits;
  limits.call_wall_ms = 1000;
  limits.run_memory = std::int64_t{32} << 20;
  limits.answer = std::int64_t{1} << 20;
  limits.output_shown = 1000;
  return limits;
}

std::filesystem::path submission(const std::string& name) {
  return std::filesystem::path(TEST_SUBMISSIONS) / ("host_test_" + name + ".so");
}

class SandboxedTest : public testing::Test {
 protected:
  SandboxedImplementation implementation_{kContract, submission("misbehaving"), test_limits()};

  Outcome behave(std::int64_t kind, double number = 0) {
    return implementation_.call(0, {kind, number});
  }
  /// The submission still answers after whatever it did.
  void expect_alive() {
    const Outcome outcome = behave(0, 4.0);
    ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
    EXPECT_EQ(std::get<double>(outcome.value), 2.0);
  }
};

TEST_F(SandboxedTest, ReturnsValues) {
  expect_alive();
  const Outcome outcome =
      implementation_.call(2, {Matrix(6, 3, 0.5), Matrix(6, 3, 0.25), Matrix(6, 3, 2.0)});
  ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
  const auto& record = std::get<Record>(outcome.value);
  EXPECT_NEAR(std::get<Matrix>(*member(record, "output"))(5, 2), 2.0, 1e-12);
  EXPECT_EQ(implementation_.processes_started(), 1U);
  EXPECT_EQ(implementation_.calls_made(), 2U);
}

TEST_F(SandboxedTest, ReportsTheSignalOfACrash) {
  for (const auto& [kind, signal] :
       {std::pair{1, SIGSEGV}, std::pair{2, SIGABRT}, std::pair{11, SIGSEGV},
        std::pair{12, SIGABRT}, std::pair{23, SIGKILL}}) {
    const Outcome outcome = behave(kind);
    EXPECT_EQ(outcome.ending, Ending::crashed) << kind;
    EXPECT_EQ(outcome.signal, signal) << kind;
    expect_alive();
  }
}

TEST_F(SandboxedTest, NeverTakesAnExitForAnAnswer) {
  const Outcome success = behave(3);
  EXPECT_EQ(success.ending, Ending::exited);
  EXPECT_EQ(success.message, "exited with status 0");
  EXPECT_EQ(behave(13).message, "exited with status 7");
  expect_alive();
}

TEST_F(SandboxedTest, EndsCallsThatTakeTooLong) {
  for (const std::int64_t kind : {4, 15, 26}) {
    const auto start = steady_clock::now();
    const Outcome outcome = behave(kind);
    EXPECT_EQ(outcome.ending, Ending::timed_out) << kind;
    const auto taken = steady_clock::now() - start;
    EXPECT_GE(taken, std::chrono::milliseconds(990));
    EXPECT_LT(taken, std::chrono::milliseconds(1500));
  }
  expect_alive();
}

TEST_F(SandboxedTest, PassesOnExceptions) {
  const Outcome outcome = behave(5, 1.0);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.message, "number is 1.000000");
  EXPECT_EQ(implementation_.processes_started(), 1U) << "an exception costs no process";
}

TEST_F(SandboxedTest, LimitsMemoryByAnException) {
  const Outcome outcome = behave(6);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.message, "std::bad_alloc");
  expect_alive();
}

TEST_F(SandboxedTest, NamesTheForbiddenSystemCall) {
  const Outcome outcome = behave(7);
  EXPECT_EQ(outcome.ending, Ending::forbidden);
  EXPECT_EQ(outcome.message, "socket");
  EXPECT_EQ(behave(14).message, "pause");
  EXPECT_EQ(behave(29).message, "mmap");
  const Outcome shell = behave(19);
  EXPECT_EQ(shell.ending, Ending::forbidden);
  expect_alive();
}

TEST_F(SandboxedTest, CannotBeTalkedOutOfForbidding) {
  EXPECT_EQ(behave(21).ending, Ending::forbidden);
  EXPECT_EQ(behave(22).ending, Ending::forbidden);
  EXPECT_EQ(behave(30).message, "rt_sigaction");
}

TEST_F(SandboxedTest, AllowsThreads) {
  const Outcome outcome = behave(8, 0.5);
  ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
  EXPECT_EQ(std::get<double>(outcome.value), 105.5);
  EXPECT_EQ(std::get<double>(behave(25).value), 1.0);
}

TEST(SandboxedLimitTest, StopsCallingWhatUsesItsMemoryUpAgainAndAgain) {
  SandboxedImplementation implementation{kContract, submission("misbehaving"), test_limits()};
  for (int call = 0; call < 20; ++call) {
    const Outcome outcome = implementation.call(0, {std::int64_t{6}, 0.0});
    EXPECT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.message, "std::bad_alloc");
  }
  EXPECT_EQ(implementation.processes_started(), 6U);
  const Outcome other = implementation.call(1, {std::int64_t{2}, std::int64_t{3}});
  EXPECT_EQ(other.ending, Ending::returned) << "other functions are called as before";
}

TEST(SandboxedLimitTest, ForbidsThreadsWhereTheAssignmentDoes) {
  Limits limits = test_limits();
  limits.threads = 0;
  SandboxedImplementation implementation{kContract, submission("misbehaving"), limits};
  const Outcome threaded = implementation.call(0, {std::int64_t{8}, 0.5});
  EXPECT_EQ(threaded.ending, Ending::forbidden);
  EXPECT_NE(threaded.message.find("starting a thread"), std::string::npos) << threaded.message;
  const Outcome alone = implementation.call(0, {std::int64_t{0}, 4.0});
  ASSERT_EQ(alone.ending, Ending::returned) << alone.message;
  EXPECT_EQ(std::get<double>(alone.value), 2.0);
}

TEST_F(SandboxedTest, ForgivesADebugFileButDoesNotWriteIt) {
  const Outcome outcome = behave(16);
  ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
  EXPECT_EQ(std::get<double>(outcome.value), 2.0);
}

TEST_F(SandboxedTest, KeepsTheBeginningOfWhatIsPrinted) {
  behave(18);
  EXPECT_NE(implementation_.printed().find("hello from stdout\n"), std::string::npos);
  EXPECT_NE(implementation_.printed().find("hello from stderr\n"), std::string::npos);
}

TEST_F(SandboxedTest, IsNotHeldUpByAFloodOfOutput) {
  for (const std::int64_t kind : {9, 10}) {
    const Outcome outcome = behave(kind);
    EXPECT_EQ(outcome.ending, Ending::returned) << kind << outcome.message;
  }
  EXPECT_EQ(implementation_.printed().size(), 1000U);
  expect_alive();
}

TEST_F(SandboxedTest, RefusesResultsThatCannotBe) {
  EXPECT_EQ(implementation_.call(1, {std::int64_t{2}, std::int64_t{3}}).ending, Ending::returned);
  EXPECT_EQ(implementation_.call(1, {std::int64_t{0}, std::int64_t{3}}).ending, Ending::returned);
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{4096, 4096},
                                      {-1, -1},
                                      {std::int64_t{1} << 62, 4},
                                      {std::int64_t{1} << 62, 0},
                                      {-8, 8}}) {
    EXPECT_EQ(implementation_.call(1, {rows, columns}).ending, Ending::malformed)
        << rows << " × " << columns;
  }
}

TEST_F(SandboxedTest, KeepsStateBetweenCallsUntilStartedFresh) {
  EXPECT_EQ(std::get<double>(behave(17, 1).value), 1.0);
  EXPECT_EQ(std::get<double>(behave(17, 1).value), 2.0);
  implementation_.start_fresh();
  EXPECT_EQ(std::get<double>(behave(17, 1).value), 1.0);
  EXPECT_EQ(implementation_.processes_started(), 2U);
}

TEST_F(SandboxedTest, StartsNoProcessForAnUnusedFreshStart) {
  implementation_.start_fresh();
  implementation_.start_fresh();
  expect_alive();
  EXPECT_EQ(implementation_.processes_started(), 1U);
}

TEST_F(SandboxedTest, ChargesACrashAfterTheAnswerToTheNextCall) {
  EXPECT_EQ(behave(20).ending, Ending::returned);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const Outcome outcome = behave(0, 4.0);
  EXPECT_EQ(outcome.ending, Ending::crashed);
  EXPECT_EQ(outcome.signal, SIGABRT);
  expect_alive();
}

TEST_F(SandboxedTest, FillsFreshMemoryWithAPattern) {
  EXPECT_GT(std::abs(std::get<double>(behave(24).value)), 1e300);
}

TEST_F(SandboxedTest, HasTheSameAddressesInEveryBox) {
  const Outcome here = behave(27);
  SandboxedImplementation other{kContract, submission("misbehaving"), test_limits()};
  EXPECT_EQ(std::get<double>(here.value),
            std::get<double>(other.call(0, {std::int64_t{27}, 0.0}).value));
}

TEST(SandboxedLimitTest, BoundsTheProcessorTimeOfAllCalls) {
  Limits limits = test_limits();
  limits.call_wall_ms = 30'000;  // so that only processor time can end the call
  limits.run_cpu_ms = 500;
  SandboxedImplementation implementation{kContract, submission("misbehaving"), limits};
  const Outcome first = implementation.call(0, {std::int64_t{4}, 0.0});
  EXPECT_EQ(first.ending, Ending::timed_out);
  EXPECT_NE(first.message.find("more than the 0.5 s"), std::string::npos) << first.message;
  EXPECT_EQ(implementation.call(0, {std::int64_t{0}, 4.0}).ending, Ending::timed_out);
  EXPECT_EQ(implementation.processes_started(), 1U) << "nothing runs once the time is used up";
}

TEST(SandboxedLimitTest, ChargesCallsThatSleptLikeCallsThatLooped) {
  Limits limits = test_limits();
  limits.call_wall_ms = 100;
  limits.run_cpu_ms = 300;
  SandboxedImplementation implementation{kContract, submission("misbehaving"), limits};
  for (int call = 0; call < 3; ++call) {
    const Outcome outcome = implementation.call(0, {std::int64_t{15}, 0.0});
    EXPECT_EQ(outcome.message, "no answer within 0.1 s");
  }
  EXPECT_EQ(implementation.call(0, {std::int64_t{0}, 4.0}).ending, Ending::timed_out);
  EXPECT_EQ(implementation.processes_started(), 3U);
}

TEST(SandboxedLoadTest, ReportsWhatHappensWhileLoading) {
  const Arguments arguments{std::int64_t{0}, 1.0};
  const auto call = [&](const std::string& name) {
    SandboxedImplementation implementation{kContract, submission(name), test_limits()};
    return implementation.call(0, arguments);
  };
  const Outcome thrown = call("load_throws");
  EXPECT_EQ(thrown.ending, Ending::threw);
  EXPECT_EQ(thrown.message, "the submission could not be loaded: thrown by a static initialiser");
  const Outcome left = call("load_exits");
  EXPECT_EQ(left.ending, Ending::exited);
  EXPECT_EQ(left.message, "exited with status 0 while it was being loaded");
  EXPECT_EQ(call("load_hangs").ending, Ending::timed_out);
  const Outcome crashed = call("load_crashes");
  EXPECT_EQ(crashed.signal, SIGSEGV) << static_cast<int>(crashed.ending) << crashed.message;
  const Outcome missing = call("no_dispatch");
  EXPECT_EQ(missing.ending, Ending::threw);
  EXPECT_NE(missing.message.find("attention_grader_dispatch"), std::string::npos);
}

TEST(SandboxedStartTest, FaultsWhenAFileIsMissing) {
  EXPECT_THROW(SandboxedImplementation(kContract, "/nonexistent.so", test_limits()),
               EnvironmentFault);
  EXPECT_THROW(
      SandboxedImplementation(kContract, submission("misbehaving"), test_limits(), "/nonexistent"),
      EnvironmentFault);
}

}  // namespace
}  // namespace grader
