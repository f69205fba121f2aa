// What a submission keeps between calls must cost the state check and nothing else.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "grader/engine/engine.hpp"
#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::call_total;
using engine_test::contract;
using engine_test::ended;
using engine_test::Fake;
using engine_test::kSize;
using engine_test::returned;
using engine_test::sum;
using engine_test::total_is_right;

/// Calls total() twice on the same row.
Check repeatable() {
  Check check = total_is_right();
  check.id = "purity.repeatable";
  check.bypasses_memory = true;
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const RowVector& values = test_case.row("values");
    Judgement judgement;
    const double first = call_total(implementation, values);
    if (!(call_total(implementation, values) == first)) {
      judgement.verdict = Judgement::Verdict::violated;
      judgement.message = "the second answer differs from the first";
    }
    return judgement;
  };
  return check;
}

Check sizes_are_right() {
  Check check = total_is_right();
  check.id = "size.right";
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const RowVector& values = test_case.row("values");
    const Outcome outcome = implementation.call(kSize, {values});
    Judgement judgement;
    if (std::get<std::int64_t>(outcome.value) != values.size()) {
      judgement.verdict = Judgement::Verdict::violated;
    }
    return judgement;
  };
  return check;
}

EngineOptions with_state_check() {
  EngineOptions options;
  options.state_check = "purity.repeatable";
  return options;
}

/// Adds what earlier calls left behind, until it is started afresh.
struct Accumulator {
  double kept = 0;
  Fake implementation{[this](const RowVector& values) {
                        kept += sum(values);
                        return returned(kept);
                      },
                      [this] { kept = 0; }};
};

TEST(StateTest, AccumulatorCostsTheStateCheckAlone) {
  Accumulator accumulator;
  const auto results = run_checks({total_is_right(), sizes_are_right(), repeatable()}, contract(),
                                  accumulator.implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::passed) << results[0].message;
  EXPECT_EQ(results[1].status, CheckStatus::passed);
  EXPECT_EQ(results[2].status, CheckStatus::failed);
  ASSERT_GE(results[2].calls.size(), 2U);
  EXPECT_LE(results[2].calls.size(), 3U);
  EXPECT_EQ(results[2].calls.back().function, "total");
}

TEST(StateTest, FindingIsChargedEvenWhenTheStateCheckItselfPasses) {
  // Every call after the third is wrong, which two calls from scratch cannot show.
  int calls = 0;
  Fake implementation(
      [&](const RowVector& values) { return returned(++calls > 3 ? -1000 : sum(values)); },
      [&] { calls = 0; });
  Check blind = repeatable();
  blind.judge = [](const Case&, Implementation&) { return Judgement{}; };
  for (const bool state_check_first : {false, true}) {
    calls = 0;
    std::vector<Check> checks = {total_is_right(), blind};
    if (state_check_first) std::swap(checks[0], checks[1]);
    auto results = run_checks(checks, contract(), implementation, with_state_check());
    if (state_check_first) std::swap(results[0], results[1]);
    EXPECT_EQ(results[0].status, CheckStatus::passed) << results[0].message;
    EXPECT_EQ(results[1].status, CheckStatus::failed);
    EXPECT_NE(results[1].message.find("depends on what was called before"), std::string::npos)
        << results[1].message;
    EXPECT_EQ(results[1].calls.size(), 4U) << "three calls before and the one that fails";
  }
}

TEST(StateTest, WithoutStateCheckTheFailureCountsWhereItWasSeen) {
  Accumulator accumulator;
  const auto results =
      run_checks({total_is_right()}, contract(), accumulator.implementation, EngineOptions{});
  EXPECT_EQ(results[0].status, CheckStatus::failed);
  EXPECT_GE(results[0].calls.size(), 2U);
}

TEST(StateTest, MistakeBesideStateStillCounts) {
  // Accumulates, and is wrong for rows of more than three values besides.
  double kept = 0;
  Fake implementation(
      [&](const RowVector& values) {
        kept += sum(values);
        return returned(values.size() > 3 ? kept + 1 : kept);
      },
      [&] { kept = 0; });
  const auto results =
      run_checks({total_is_right(), repeatable()}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::failed);
  EXPECT_EQ(results[0].minimal->test_case.row("values").size(), 4);
  EXPECT_EQ(results[1].status, CheckStatus::failed);
}

TEST(StateTest, CrashThatOnlyEarlierCallsBringAboutIsState) {
  int calls = 0;
  Fake implementation(
      [&](const RowVector& values) {
        if (++calls > 2) {
          calls = 0;  // the process is gone
          return ended(Ending::crashed, SIGSEGV);
        }
        return returned(sum(values));
      },
      [&] { calls = 0; });
  const auto results =
      run_checks({total_is_right(), repeatable()}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::passed) << results[0].message;
  EXPECT_EQ(results[1].status, CheckStatus::crashed);
  EXPECT_EQ(results[1].calls.size(), 3U);
}

TEST(StateTest, TimeOutThatDoesNotComeBackCostsNothing) {
  // One slow moment of the machine.
  int calls = 0;
  Fake implementation([&](const RowVector& values) {
    return ++calls == 40 ? ended(Ending::timed_out) : returned(sum(values));
  });
  const auto results =
      run_checks({total_is_right(), repeatable()}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::passed) << results[0].message;
  EXPECT_EQ(results[1].status, CheckStatus::passed) << results[1].message;
}

TEST(StateTest, AnswerLeftToChanceIsChargedToTheStateCheck) {
  // Wrong once in a hundred calls, whatever was called before.
  int calls = 0;
  Fake implementation(
      [&](const RowVector& values) { return returned(++calls % 100 == 99 ? 0.125 : sum(values)); });
  Check blind = repeatable();
  blind.judge = [](const Case&, Implementation&) { return Judgement{}; };
  const auto results =
      run_checks({total_is_right(), blind}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::passed) << results[0].message;
  EXPECT_EQ(results[1].status, CheckStatus::failed);
  EXPECT_NE(results[1].message.find("not always answered alike"), std::string::npos)
      << results[1].message;
  EXPECT_FALSE(results[1].calls.empty());
}

TEST(StateTest, StateCheckShowsItsOwnCalls) {
  // The second call of every pair is wrong, from scratch as well.
  int calls = 0;
  Fake implementation(
      [&](const RowVector& values) { return returned(sum(values) + (++calls % 2 == 0 ? 1 : 0)); },
      [&] { calls = 0; });
  const auto results = run_checks({repeatable()}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::failed);
  EXPECT_EQ(results[0].message, "the second answer differs from the first");
  EXPECT_EQ(results[0].calls.size(), 2U);
  EXPECT_TRUE(results[0].minimal);
}

TEST(StateTest, ConstantImplementationHasNoState) {
  Fake implementation([](const RowVector&) { return returned(7); });
  const auto results =
      run_checks({total_is_right(), repeatable()}, contract(), implementation, with_state_check());
  EXPECT_EQ(results[0].status, CheckStatus::failed);
  EXPECT_EQ(results[1].status, CheckStatus::passed);
}

}  // namespace
}  // namespace grader
