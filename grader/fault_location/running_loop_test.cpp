#include "grader/fault_location/running_loop.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

FaultLocation at(std::int64_t line, const std::string& file = "attention.cpp") {
  return {file, line, {}};
}

TEST(RunningLoopTest, IsWhatAllStepsShare) {
  const auto loop = running_loop({{at(14)}, {at(12)}, {}, {at(13)}}, {{at(40)}});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->line, 12);
  EXPECT_EQ(loop->access,
            "a loop that was still running when the call was stopped (lines 12 to 14)");
}

TEST(RunningLoopTest, OnOneLineNamesItOnce) {
  const auto loop = running_loop({{at(12)}, {at(12)}}, {});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->access, "a loop that was still running when the call was stopped");
}

TEST(RunningLoopTest, LiesInsideAnInlinedFunctionWhereAllStepsAre) {
  const auto loop = running_loop({{at(3, "a.hpp"), at(20)}, {at(5, "a.hpp"), at(20)}}, {});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->file, "a.hpp");
  EXPECT_EQ(loop->line, 3);
}

TEST(RunningLoopTest, LiesAroundAnInlinedFunctionWhereSomeStepsAreOutside) {
  const auto loop = running_loop({{at(3, "a.hpp"), at(20)}, {at(19)}, {at(20)}}, {});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->file, "attention.cpp");
  EXPECT_EQ(loop->line, 19);
}

TEST(RunningLoopTest, InALibraryIsWhereItIsCalled) {
  const auto loop = running_loop({{}, {}}, {{}, {at(25)}, {at(40)}});
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->line, 25);
  EXPECT_FALSE(running_loop({{}}, {{}}));
  EXPECT_FALSE(running_loop({}, {}));
}

TEST(RunningLoopTest, OnlyTheLastTextCounts) {
  const auto running = running_steps_in(
      "\nSTILL RUNNING\nforged\nCALLED FROM\nforged\n\nSTILL RUNNING\nsteps\nCALLED FROM\ncalls\n");
  ASSERT_TRUE(running);
  EXPECT_EQ(running->steps, "steps\n");
  EXPECT_EQ(running->callers, "calls\n");
  for (const char* log : {"", "\nSTILL RUNNING\n", "CALLED FROM\n\nSTILL RUNNING\n",
                          "STILL RUNNING\nCALLED FROM\n"}) {
    EXPECT_FALSE(running_steps_in(log)) << log;
  }
}

}  // namespace
}  // namespace grader
