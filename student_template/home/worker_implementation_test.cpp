#include "home/worker_implementation.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "grader/base/files.hpp"
#include "grader/channel/dispatch_table.hpp"

namespace attention_home {
namespace {

using grader::Ending;
using grader::Outcome;

/// Behaves as its argument says, and returns how often it was called in this process.
double behave(double how) {
  static double calls = 0;
  ++calls;
  if (how == 1) std::abort();
  if (how == 2) std::_Exit(0);
  if (how == 3) throw std::logic_error("behave: not implemented yet");
  if (how == 4) {
    for (volatile bool forever = true; forever;) {
    }
  }
  if (how == 5) std::printf("hello\n");
  return calls;
}

class WorkerTest : public testing::Test {
 protected:
  Outcome call(double how) { return worker_.call(0, {grader::Value(how)}); }
  [[nodiscard]] std::filesystem::path printed() const { return directory_.path() / "printed"; }

 private:
  static WorkerLimits limits() {
    WorkerLimits limits;
    limits.call = std::chrono::milliseconds(300);
#ifdef __SANITIZE_ADDRESS__
    limits.memory = 0;  // AddressSanitizer reserves more than any limit
#endif
    return limits;
  }

  grader::TemporaryDirectory directory_;
  grader::Contract contract_ = {
      {"behave", {{"how", {grader::Kind::number, {}}}}, {grader::Kind::number, {}}}};
  WorkerImplementation worker_{contract_, &grader::dispatch<&behave>, limits(), printed()};

 protected:
  void start_fresh() { worker_.start_fresh(); }
};

double number_in(const Outcome& outcome) {
  EXPECT_EQ(outcome.ending, Ending::returned) << outcome.message;
  return outcome.ending == Ending::returned ? std::get<double>(outcome.value) : 0;
}

TEST_F(WorkerTest, KeepsItsStateUntilStartedFresh) {
  EXPECT_EQ(number_in(call(0)), 1);
  EXPECT_EQ(number_in(call(0)), 2);
  start_fresh();
  EXPECT_EQ(number_in(call(0)), 1);
}

TEST_F(WorkerTest, ReportsACrashAndGoesOnInANewProcess) {
  const Outcome outcome = call(1);
  EXPECT_EQ(outcome.ending, Ending::crashed);
  EXPECT_EQ(outcome.signal, SIGABRT);
  EXPECT_EQ(number_in(call(0)), 1);
}

TEST_F(WorkerTest, ExitingIsNotReturning) {
  const Outcome outcome = call(2);
  EXPECT_EQ(outcome.ending, Ending::exited);
  EXPECT_EQ(number_in(call(0)), 1);
}

TEST_F(WorkerTest, PassesAnExceptionsTextOn) {
  const Outcome outcome = call(3);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.message, "behave: not implemented yet");
}

TEST_F(WorkerTest, EndsACallAtItsDeadline) {
  EXPECT_EQ(call(4).ending, Ending::timed_out);
  EXPECT_EQ(number_in(call(0)), 1);
}

TEST_F(WorkerTest, KeepsWhatIsPrintedApart) {
  number_in(call(5));
  EXPECT_EQ(grader::read_file(printed(), 1000), "hello\n");
}

TEST_F(WorkerTest, LeavesNoProcessBehind) {
  number_in(call(0));
  start_fresh();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace attention_home
