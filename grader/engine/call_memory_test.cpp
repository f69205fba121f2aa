#include "grader/engine/call_memory.hpp"

#include <gtest/gtest.h>

#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::ended;
using engine_test::Fake;
using engine_test::kSize;
using engine_test::kTotal;
using engine_test::returned;
using engine_test::sum;

Outcome total(CallMemory& memory, std::vector<double> values) {
  return memory.call(kTotal, {RowVector{std::move(values)}});
}

Fake right() {
  return Fake([](const RowVector& values) { return returned(sum(values)); });
}

TEST(CallMemoryTest, AnswersTheSameCallOnceAndAlike) {
  Fake implementation = right();
  CallMemory memory(implementation);
  const Outcome first = total(memory, {1, 2});
  const Outcome second = total(memory, {1, 2});
  EXPECT_TRUE(identical(first.value, second.value));
  EXPECT_EQ(memory.calls_made(), 1U);
  total(memory, {1, 3});
  memory.call(kSize, {RowVector{{1, 2}}});
  EXPECT_EQ(memory.calls_made(), 3U);
}

TEST(CallMemoryTest, TellsArgumentsApartByBits) {
  Fake implementation = right();
  CallMemory memory(implementation);
  total(memory, {0.0});
  total(memory, {-0.0});
  total(memory, {0.0, 0.0});
  memory.call(kTotal, {RowVector{{1, 2}}});
  EXPECT_EQ(memory.calls_made(), 4U);
  EXPECT_NE(hash_of_call(0, {Matrix(2, 3)}), hash_of_call(0, {Matrix(3, 2)}));
}

TEST(CallMemoryTest, RemembersHowACallEndedToo) {
  Fake implementation([](const RowVector&) { return ended(Ending::crashed, 11); });
  CallMemory memory(implementation);
  total(memory, {1});
  EXPECT_EQ(total(memory, {1}).ending, Ending::crashed);
  EXPECT_EQ(memory.calls_made(), 1U);
}

TEST(CallMemoryTest, DirectCallsAlwaysReachTheImplementation) {
  Fake implementation = right();
  CallMemory memory(implementation);
  memory.set_mode(CallMode::direct);
  total(memory, {1});
  total(memory, {1});
  EXPECT_EQ(memory.calls_made(), 2U);
  EXPECT_EQ(implementation.fresh_starts(), 0U);
}

TEST(CallMemoryTest, IsolatedCallsStartFreshAndHaveTheirOwnMemory) {
  Fake implementation = right();
  CallMemory memory(implementation);
  total(memory, {1});
  memory.set_mode(CallMode::isolated);
  total(memory, {1});
  total(memory, {1});
  EXPECT_EQ(memory.calls_made(), 2U);
  EXPECT_EQ(implementation.fresh_starts(), 1U);
  memory.set_mode(CallMode::isolated_again);
  total(memory, {1});
  EXPECT_EQ(memory.calls_made(), 3U);
  EXPECT_EQ(implementation.fresh_starts(), 2U);
}

TEST(CallMemoryTest, ForgetsTheOldestAnswersWhenItIsFull) {
  Fake implementation = right();
  CallMemory memory(implementation, {.bytes = 16384});
  for (int value = 0; value < 1000; ++value) total(memory, {static_cast<double>(value)});
  EXPECT_EQ(memory.calls_made(), 1000U);
  total(memory, {999});
  EXPECT_EQ(memory.calls_made(), 1000U);
  total(memory, {0});
  EXPECT_EQ(memory.calls_made(), 1001U);
}

TEST(CallMemoryTest, OneHugeAnswerDoesNotPushTheOthersOut) {
  Fake implementation = right();
  CallMemory memory(implementation, {.bytes = 16384});
  total(memory, {1});
  total(memory, std::vector<double>(5000, 1.0));
  total(memory, {1});
  EXPECT_EQ(memory.calls_made(), 2U);
}

TEST(CallMemoryTest, KnowsWhatWasCalledBeforeInTheSameState) {
  Fake implementation([](const RowVector& values) {
    return values(0) == 3 ? ended(Ending::crashed, 11) : returned(sum(values));
  });
  CallMemory memory(implementation);
  for (const double value : {1, 2, 3, 4, 5, 4}) total(memory, {value});
  // The crash of 3 took the state of 1 and 2 with it; the second 4 was answered from memory.
  const auto before = memory.before(5);
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(std::get<RowVector>((*before[0].arguments)[0])(0), 4);
  EXPECT_EQ(memory.before(3).size(), 2U);
  EXPECT_TRUE(memory.before(99).empty());
  memory.begin_case();
  total(memory, {5});
  EXPECT_EQ(memory.used(), (std::vector<std::uint64_t>{5}));
}

TEST(CallMemoryTest, StopsCallingAFunctionThatHangsTooOften) {
  Fake implementation([](const RowVector&) { return ended(Ending::timed_out); });
  CallMemory memory(implementation, {.timeouts = 5});
  for (int value = 0; value < 50; ++value) {
    EXPECT_EQ(total(memory, {static_cast<double>(value)}).ending, Ending::timed_out);
  }
  EXPECT_EQ(memory.calls_made(), 5U);
  EXPECT_EQ(memory.call(kSize, {RowVector{{1}}}).ending, Ending::returned);
}

}  // namespace
}  // namespace grader
