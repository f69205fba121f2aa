#include "grader/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <set>

#include "grader/base/fault.hpp"
#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::call_total;
using engine_test::contract;
using engine_test::draw_row;
using engine_test::ended;
using engine_test::Fake;
using engine_test::returned;
using engine_test::right;
using engine_test::sum;
using engine_test::total_is_right;

CheckResult run_one(const Check& check, Implementation& implementation,
                    const EngineOptions& options = {}) {
  return run_checks({check}, contract(), implementation, options).front();
}

const RowVector& minimal_row(const CheckResult& result) {
  return result.minimal->test_case.row("values");
}

/// Everything of a result that goes into a scorecard, as text.
std::string text_of(const CheckResult& result) {
  std::string text = result.id + "|" + std::to_string(static_cast<int>(result.status)) + "|" +
                     result.message + "|" + std::to_string(result.cases) + "|" +
                     std::to_string(result.shrinks);
  for (const auto& [label, count] : result.coverage) text += label + std::to_string(count);
  for (const auto& example : {result.minimal, result.original}) {
    if (!example) continue;
    for (const double entry : example->test_case.row("values").entries) {
      text += "," + std::to_string(entry);
    }
  }
  return text;
}

TEST(EngineTest, RightImplementationPassesAllCases) {
  Fake implementation = right();
  const CheckResult result = run_one(total_is_right(), implementation);
  EXPECT_EQ(result.status, CheckStatus::passed);
  EXPECT_EQ(result.cases, 500);
  EXPECT_EQ(result.witnessed, 500);
  EXPECT_EQ(result.discards, 0);
  EXPECT_EQ(result.coverage.at("integers"), 250);
  EXPECT_EQ(result.coverage.at("fractions"), 250);
  EXPECT_FALSE(result.minimal);
}

TEST(EngineTest, FailureIsShrunkToTheSmallestRow) {
  // Forgets the last value: the smallest failing row is one value, and that value is 1.
  Fake implementation([](const RowVector& values) {
    RowVector shorter = values;
    shorter.entries.pop_back();
    return returned(sum(shorter));
  });
  const CheckResult result = run_one(total_is_right(), implementation);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_EQ(result.message, "wrong total");
  ASSERT_EQ(minimal_row(result).entries.size(), 1U);
  EXPECT_EQ(minimal_row(result)(0), 1.0);
  ASSERT_TRUE(result.original);
  EXPECT_GT(result.original->test_case.row("values").entries.size(), 0U);
  EXPECT_FALSE(result.fault);
}

/// A row that an implementation failed on before.
Case example_of(std::vector<double> values) {
  return {{{"values", RowVector{std::move(values)}, {"n"}}}, "", "an input that failed before"};
}

TEST(EngineTest, ExampleIsTriedBeforeTheRandomCasesAndNamed) {
  // Wrong on the number 77 alone, which no random case has.
  Fake implementation([](const RowVector& values) {
    return returned(values.entries == std::vector<double>{77} ? 0 : sum(values));
  });
  EXPECT_EQ(run_one(total_is_right(), implementation).status, CheckStatus::passed);
  EngineOptions options;
  options.examples["total.right"] = {example_of({5}), example_of({77})};
  const CheckResult result = run_one(total_is_right(), implementation, options);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_EQ(result.examples, 2);
  EXPECT_EQ(result.cases, 1) << "the failing example; the one that holds is no sample";
  EXPECT_EQ(minimal_row(result)(0), 77);
  EXPECT_EQ(result.minimal->test_case.name, "an input that failed before");
}

TEST(EngineTest, SmallerInputThanAnExampleIsNotTheExample) {
  Fake implementation(
      [](const RowVector& values) { return returned(values.size() > 1 ? 0.5 : sum(values)); });
  EngineOptions options;
  options.examples["total.right"] = {example_of({7, 8, 9})};
  const CheckResult result = run_one(total_is_right(), implementation, options);
  EXPECT_EQ(minimal_row(result).size(), 2);
  EXPECT_EQ(result.minimal->test_case.name, "");
  ASSERT_TRUE(result.original);
  EXPECT_EQ(result.original->test_case.name, "an input that failed before");
}

TEST(EngineTest, ExamplesThatHoldChangeNothingOfAVerdict) {
  Check check = total_is_right();
  // Rows of one value show nothing here, and what shows nothing in half of the cases fails.
  const auto judge = check.judge;
  check.judge = [judge](const Case& test_case, Implementation& implementation) {
    Judgement judgement = judge(test_case, implementation);
    judgement.witnessed = test_case.row("values").size() > 1;
    return judgement;
  };
  Fake implementation = right();
  EngineOptions options;
  options.cases = 10;
  const std::string without = text_of(run_one(check, implementation, options));
  options.examples["total.right"] = std::vector<Case>(16, example_of({1}));
  options.examples["another.check"] = {example_of({2})};
  const CheckResult result = run_one(check, implementation, options);
  EXPECT_EQ(text_of(result), without);
  EXPECT_EQ(result.status, CheckStatus::passed);
  EXPECT_EQ(result.examples, 16);
}

TEST(EngineTest, FixedCasesComeFirstAndKeepTheirName) {
  Check check = total_is_right();
  check.fixed_cases = {{{{"values", RowVector{{2, 3}}, {"n"}}}, "", "the example"}};
  check.share_of_cases = 0;
  Fake implementation = right();
  EXPECT_EQ(run_one(check, implementation).cases, 1);

  check.shrinks = false;
  Fake wrong([](const RowVector&) { return returned(-1); });
  const CheckResult result = run_one(check, wrong);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_EQ(result.minimal->test_case.name, "the example");
  EXPECT_EQ(result.shrinks, 0);
}

TEST(EngineTest, CheckWithoutCasesIsABugOfTheGrader) {
  Check check = total_is_right();
  check.share_of_cases = 0;
  Fake implementation = right();
  EXPECT_THROW(run_one(check, implementation), InternalFault);
}

TEST(EngineTest, SameSeedGivesTheSameResultAndAnotherSeedOtherCases) {
  const auto run = [](std::uint64_t seed) {
    Fake implementation(
        [](const RowVector& values) { return returned(values.size() > 4 ? 0.5 : sum(values)); });
    EngineOptions options;
    options.seed = seed;
    return text_of(run_one(total_is_right(), implementation, options));
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(EngineTest, ChecksOfTheSameGeneratorShareCalls) {
  Check second = total_is_right();
  second.id = "total.again";
  Fake implementation = right();
  const auto results =
      run_checks({total_is_right(), second}, contract(), implementation, EngineOptions{});
  EXPECT_EQ(results[1].status, CheckStatus::passed);
  EXPECT_EQ(results[1].cases, 500);
  EXPECT_LE(implementation.calls_made(), 500U);

  second.generator = "other rows";
  Fake again = right();
  run_checks({total_is_right(), second}, contract(), again, EngineOptions{});
  EXPECT_GT(again.calls_made(), 900U);
}

TEST(EngineTest, BeforeEachCheckTheResultsOfThoseBeforeItAreTold) {
  Check second = total_is_right();
  second.id = "total.again";
  Fake implementation([](const RowVector&) { return returned(0.5); });
  std::vector<std::string> told;
  const auto progress = [&](const std::vector<CheckResult>& ended, std::size_t count,
                            const std::string& id) {
    told.push_back(std::to_string(ended.size()) + " of " + std::to_string(count) + ", then " + id);
    for (const CheckResult& result : ended) EXPECT_EQ(result.status, CheckStatus::failed);
  };
  run_checks({total_is_right(), second}, contract(), implementation, EngineOptions{}, progress);
  EXPECT_EQ(told, (std::vector<std::string>{"0 of 2, then " + total_is_right().id,
                                            "1 of 2, then total.again"}));
}

TEST(EngineTest, FixedCasesDoNotShiftTheRandomOnes) {
  std::vector<std::vector<double>> seen[2];
  for (int with_fixed = 0; with_fixed < 2; ++with_fixed) {
    Check check = total_is_right();
    if (with_fixed == 1) check.fixed_cases = {{{{"values", RowVector{{2}}, {"n"}}}, "", "one"}};
    check.judge = [&](const Case& test_case, Implementation&) {
      seen[with_fixed].push_back(test_case.row("values").entries);
      return Judgement{};
    };
    Fake implementation = right();
    run_one(check, implementation);
  }
  seen[1].erase(seen[1].begin());
  EXPECT_EQ(seen[0], seen[1]);
}

TEST(EngineTest, GeneratorSeesEveryScheduleIndexOnce) {
  std::vector<std::int64_t> indices;
  Check check = total_is_right();
  check.generate = [&](Random& random, const Schedule& schedule) {
    EXPECT_EQ(schedule.cases, 60);
    indices.push_back(schedule.index);
    return draw_row(random, schedule);
  };
  Fake implementation = right();
  EngineOptions options;
  options.cases = 60;
  run_one(check, implementation, options);
  ASSERT_EQ(indices.size(), 60U);
  for (std::size_t index = 0; index < indices.size(); ++index) {
    EXPECT_EQ(indices[index], static_cast<std::int64_t>(index));
  }
}

TEST(EngineTest, ShrinkingDoesNotDrawNewCases) {
  // Pins what the schedule relies on: RapidCheck calls the generator once a case, never while it
  // shrinks or runs an accepted case again.
  std::int64_t drawn = 0;
  Check check = total_is_right();
  check.generate = [&](Random& random, const Schedule& schedule) {
    ++drawn;
    return draw_row(random, schedule);
  };
  Fake wrong([](const RowVector& values) { return returned(sum(values) + 1); });
  const CheckResult result = run_one(check, wrong);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_GT(result.shrinks, 0);
  EXPECT_EQ(drawn, 1);
}

TEST(EngineTest, AcceptedCasesAreNotRunAgain) {
  std::set<std::vector<double>> judged;
  std::int64_t repeated = 0;
  Check check = total_is_right();
  check.judge = [&](const Case& test_case, Implementation&) {
    if (!judged.insert(test_case.row("values").entries).second) ++repeated;
    Judgement judgement;
    if (test_case.row("values").size() > 2) judgement.verdict = Judgement::Verdict::violated;
    return judgement;
  };
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(minimal_row(result).entries, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(repeated, 1);  // in the fresh state
}

TEST(EngineTest, ShrinkLimitStopsCallingTheSubmission) {
  std::int64_t judged = 0;
  Check check = total_is_right();
  check.generate = [](Random&, const Schedule&) {
    return Case{{{"values", RowVector{std::vector<double>(400, 3.25)}, {"n"}}}, "", ""};
  };
  // Needs all 400 values, so that only numbers can be simplified, one by one.
  check.judge = [&](const Case& test_case, Implementation&) {
    ++judged;
    const RowVector& values = test_case.row("values");
    Judgement judgement;
    if (values.size() == 400 && std::ranges::count(values.entries, 3.25) > 0) {
      judgement.verdict = Judgement::Verdict::violated;
    }
    return judgement;
  };
  Fake implementation = right();
  EngineOptions options;
  options.shrink_limit = 100;
  const CheckResult result = run_one(check, implementation, options);
  EXPECT_TRUE(result.shrinking_cut);
  EXPECT_EQ(result.shrinks, 100);
  constexpr std::int64_t explaining = std::int64_t{2} * 12;  // all inputs together, then one by one
  EXPECT_LE(judged, 102 + explaining);
}

TEST(EngineTest, CrashIsShrunkAndReportedWithItsSignal) {
  Fake implementation([](const RowVector& values) {
    return values.size() >= 3 ? ended(Ending::crashed, SIGSEGV) : returned(sum(values));
  });
  const CheckResult result = run_one(total_is_right(), implementation);
  EXPECT_EQ(result.status, CheckStatus::crashed);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "SIGSEGV");
  EXPECT_EQ(result.fault->function, "total");
  EXPECT_EQ(minimal_row(result).entries, (std::vector<double>{0, 0, 0}));
  EXPECT_LE(result.shrinks, EngineOptions{}.fault_shrink_limit);
  EXPECT_NE(result.message.find("total crashed (SIGSEGV"), std::string::npos) << result.message;
}

TEST(EngineTest, CrashIsNotShrunkIntoAWrongAnswer) {
  Fake implementation([](const RowVector& values) {
    return values.size() >= 3 ? ended(Ending::crashed, SIGFPE) : returned(-99);
  });
  Check check = total_is_right();
  check.fixed_cases = {{{{"values", RowVector{{1, 2, 3, 4}}, {"n"}}}, "", "four"}};
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::crashed);
  EXPECT_EQ(minimal_row(result).size(), 3);
}

TEST(EngineTest, EveryEndingHasItsStatus) {
  const std::vector<std::pair<Ending, CheckStatus>> expected = {
      {Ending::threw, CheckStatus::failed},      {Ending::malformed, CheckStatus::failed},
      {Ending::crashed, CheckStatus::crashed},   {Ending::exited, CheckStatus::crashed},
      {Ending::forbidden, CheckStatus::crashed}, {Ending::timed_out, CheckStatus::timed_out},
  };
  for (const auto& [ending, status] : expected) {
    Fake implementation([ending = ending](const RowVector&) { return ended(ending, SIGABRT); });
    const CheckResult result = run_one(total_is_right(), implementation);
    EXPECT_EQ(result.status, status);
    ASSERT_TRUE(result.fault);
    EXPECT_FALSE(result.fault->kind.empty());
    EXPECT_FALSE(result.message.empty());
  }
}

TEST(EngineTest, HangIsCalledOnlyAFewTimes) {
  Fake implementation([](const RowVector&) { return ended(Ending::timed_out); });
  std::vector<Check> checks;
  for (int index = 0; index < 20; ++index) {
    checks.push_back(total_is_right());
    checks.back().id = "total." + std::to_string(index);
    checks.back().generator = checks.back().id;
  }
  const auto results = run_checks(checks, contract(), implementation, EngineOptions{});
  for (const CheckResult& result : results) EXPECT_EQ(result.status, CheckStatus::timed_out);
  EXPECT_LE(implementation.calls_made(), EngineOptions{}.timeouts);
}

TEST(EngineTest, PassWithoutWitnessesIsNoPass) {
  Check check = total_is_right();
  check.judge = [](const Case& test_case, Implementation&) {
    Judgement judgement;
    judgement.witnessed = test_case.label == "integers" && test_case.row("values").size() > 2;
    judgement.message = "all your weights are zero";
    return judgement;
  };
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_NE(result.message.find("all your weights are zero"), std::string::npos);
  EXPECT_LT(result.witnessed, result.cases / 2);
  EXPECT_TRUE(result.minimal);
}

TEST(EngineTest, BlockedCheckIsNotRunAndNamesItsOwner) {
  Check check = total_is_right();
  check.judge = [](const Case& test_case, Implementation&) {
    Judgement judgement;
    if (test_case.row("values").size() > 1) {
      judgement.verdict = Judgement::Verdict::not_judged;
      judgement.blocked_by = "shapes.results";
    }
    return judgement;
  };
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::not_run);
  EXPECT_EQ(result.blocked_by, "shapes.results");
  EXPECT_EQ(result.cases + result.discards, 500);
  EXPECT_GT(result.cases, 0);

  check.generate_when_blocked = [](Random&, const Schedule&) {
    return Case{{{"values", RowVector{{1}}, {"n"}}}, "square", ""};
  };
  EXPECT_EQ(run_one(check, implementation).status, CheckStatus::passed);
}

TEST(EngineTest, FewCasesAreBlockedRatherThanFailedForWantOfAWitness) {
  Check check = total_is_right();
  check.judge = [](const Case& test_case, Implementation&) {
    Judgement judgement;
    judgement.witnessed = false;
    if (test_case.row("values").size() > 4) {
      judgement.verdict = Judgement::Verdict::not_judged;
      judgement.blocked_by = "shapes.results";
    }
    return judgement;
  };
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_GT(5 * result.cases, 500);
  EXPECT_LT(2 * result.cases, 500);
  EXPECT_EQ(result.status, CheckStatus::not_run);
}

TEST(EngineTest, AShareOfFewCasesIsAtLeastOne) {
  Check check = total_is_right();
  check.share_of_cases = 0.1;
  EngineOptions options;
  options.cases = 3;
  Fake implementation = right();
  EXPECT_EQ(run_one(check, implementation, options).cases, 1);
  check.share_of_cases = 0;
  check.fixed_cases = {{{{"values", RowVector{{1}}, {"n"}, false}}, "", ""}};
  EXPECT_EQ(run_one(check, implementation, options).cases, 1);
}

TEST(EngineTest, FailureBeatsBlockedCases) {
  Check check = total_is_right();
  check.judge = [](const Case& test_case, Implementation&) {
    Judgement judgement;
    judgement.verdict = test_case.row("values").size() > 1 ? Judgement::Verdict::not_judged
                                                           : Judgement::Verdict::violated;
    return judgement;
  };
  Fake implementation = right();
  EXPECT_EQ(run_one(check, implementation).status, CheckStatus::failed);
}

TEST(EngineTest, QuotaThatIsMissedIsReportedAndCostsNothing) {
  Check check = total_is_right();
  check.quotas = {{"integers", 0.5}, {"fractions", 0.6}, {"spikes", 0.01}};
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::passed);
  EXPECT_EQ(result.coverage_missed, (std::vector<std::string>{"fractions", "spikes"}));
}

TEST(EngineTest, ShrinkingStaysInTheDomain) {
  Check check = total_is_right();
  check.admits = [](const Case& test_case) {
    const auto& entries = test_case.row("values").entries;
    return entries.size() >= 2 && std::ranges::all_of(entries, [](double x) { return x >= 5; });
  };
  check.fixed_cases = {{{{"values", RowVector{{7, 8, 9}}, {"n"}}}, "", ""}};
  std::int64_t outside = 0;
  check.judge = [&](const Case& test_case, Implementation&) {
    if (!check.admits(test_case)) ++outside;
    Judgement judgement;
    judgement.verdict = Judgement::Verdict::violated;
    return judgement;
  };
  Fake implementation = right();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(outside, 0);
  EXPECT_EQ(minimal_row(result).size(), 2);
}

TEST(EngineTest, FaultsOfTheMachinePassThrough) {
  Fake implementation([](const RowVector& values) -> Outcome {
    if (values.size() > 6) throw EnvironmentFault("no process", "try again");
    return returned(sum(values));
  });
  EXPECT_THROW(run_one(total_is_right(), implementation), EnvironmentFault);

  Check check = total_is_right();
  check.generate = [](Random&, const Schedule&) -> Case { throw InternalFault("generator"); };
  EXPECT_THROW(run_one(check, implementation), InternalFault);

  check = total_is_right();
  check.admits = [](const Case&) -> bool { throw InternalFault("domain"); };
  Fake wrong([](const RowVector&) { return returned(0.25); });
  EXPECT_THROW(run_one(check, wrong), InternalFault);
}

TEST(EngineTest, AssertionCheckCollectsAllLabels) {
  // total() stands for the student's assertion: it accepts (1) whatever starts with 1 or 5.
  const auto make = [](std::vector<double> values, bool valid, const char* label) {
    return Case{{{"values", RowVector{std::move(values)}, {}}, {"valid", valid, {}}}, label, ""};
  };
  Check check;
  check.id = "assertions.total";
  check.assertion = "total";
  check.share_of_cases = 0;
  check.fixed_cases = {make({1}, true, "right"),    make({2}, true, "also right"),
                       make({5}, false, "half"),    make({5, 5}, false, "half"),
                       make({6}, false, "nothing"), make({1, 0}, false, "double")};
  check.judge = [](const Case& test_case, Implementation& implementation) {
    Judgement judgement;
    const bool accepted = call_total(implementation, test_case.row("values")) == 1;
    if (accepted != test_case.boolean("valid")) judgement.verdict = Judgement::Verdict::violated;
    return judgement;
  };
  Fake implementation([](const RowVector& values) {
    return returned(values(0) == 1 || values(0) == 5 ? 1.0 : 0.0);
  });
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_EQ(result.cases, 6);
  EXPECT_EQ(result.refused_wrongly, (std::vector<std::string>{"also right"}));
  EXPECT_EQ(result.accepted_wrongly, (std::vector<std::string>{"half", "double"}));
  EXPECT_EQ(result.minimal->test_case.label, "also right");
}

TEST(EngineTest, ReplayShowsAStoredCaseInAFreshState) {
  Fake implementation([](const RowVector& values) { return returned(sum(values) + 1); });
  const Case stored{{{"values", RowVector{{1, 2}}, {"n"}}}, "", ""};
  const CheckResult result = replay_case(total_is_right(), contract(), stored, implementation);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_EQ(result.message, "wrong total");
  EXPECT_TRUE(identical(result.minimal->test_case, stored));
  EXPECT_GE(implementation.fresh_starts(), 1U);

  Fake good = right();
  EXPECT_EQ(replay_case(total_is_right(), contract(), stored, good).status, CheckStatus::passed);
}

}  // namespace
}  // namespace grader
