#include "grader/engine/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "grader/engine/engine.hpp"
#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::contract;
using engine_test::Fake;
using engine_test::returned;
using engine_test::right;
using engine_test::sum;
using engine_test::total_is_right;

/// Random rows hold numbers up to 9; the search looks for large totals.
Check searching_for_large_totals() {
  Check check = total_is_right();
  check.admits = [](const Case& test_case) { return sum(test_case.row("values")) <= 1e6; };
  check.searches = {{"large totals",
                     [](const Case& test_case, Implementation& implementation) {
                       return engine_test::call_total(implementation, test_case.row("values"));
                     },
                     [](Random& random, const Case& from) {
                       Case next = from;
                       auto& values = std::get<RowVector>(next.inputs[0].value);
                       for (double& value : values.entries) value *= random.uniform(0.5, 4);
                       return next;
                     },
                     40}};
  return check;
}

/// Right up to a total of `limit`.
Fake saturating_at(double limit) {
  return Fake([limit](const RowVector& values) { return returned(std::min(sum(values), limit)); });
}

CheckResult run_one(const Check& check, Implementation& implementation,
                    const EngineOptions& options = {}) {
  return run_checks({check}, contract(), implementation, options).front();
}

TEST(SearchTest, FindsWhatRandomCasesDoNotReach) {
  Fake implementation = saturating_at(1000);
  Check check = searching_for_large_totals();
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::failed);
  EXPECT_GT(result.searched, 0);
  EXPECT_LE(result.searched, 40);
  ASSERT_TRUE(result.original);
  EXPECT_EQ(result.original->test_case.name, "found by looking for large totals");
  EXPECT_GT(result.shrinks, 0) << "shrunk like any other";
  EXPECT_GT(sum(result.minimal->test_case.row("values")), 1000);
  EXPECT_EQ(result.cases, 501) << "the schedule and the one that fails";
  check.searches.clear();
  EXPECT_EQ(run_one(check, implementation).status, CheckStatus::passed);
}

TEST(SearchTest, StaysInTheDomainAndWithinItsCases) {
  Fake implementation = right();
  Check check = searching_for_large_totals();
  double largest = 0;
  std::int64_t judged = 0;
  const auto judge = check.judge;
  check.judge = [&](const Case& test_case, Implementation& answering) {
    ++judged;
    largest = std::max(largest, sum(test_case.row("values")));
    return judge(test_case, answering);
  };
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.status, CheckStatus::passed);
  EXPECT_EQ(result.cases, 500) << "cases of a search are no sample";
  EXPECT_EQ(result.coverage.size(), 2U);
  EXPECT_EQ(judged, 500 + result.searched);
  EXPECT_LE(result.searched, 40);
  EXPECT_GT(largest, 1e5);
  EXPECT_LE(largest, 1e6);
}

TEST(SearchTest, SameSeedSameSearch) {
  const auto found = [](std::uint64_t seed) {
    Fake implementation = saturating_at(1000);
    EngineOptions options;
    options.seed = seed;
    return run_one(searching_for_large_totals(), implementation, options);
  };
  const CheckResult one = found(7);
  EXPECT_EQ(one.searched, found(7).searched);
  EXPECT_TRUE(identical(one.original->test_case, found(7).original->test_case));
  EXPECT_FALSE(identical(one.original->test_case, found(8).original->test_case));
}

TEST(SearchTest, AsksForNoCallThatTheJudgeHasMade) {
  Fake with = right();
  const CheckResult result = run_one(searching_for_large_totals(), with);
  Fake without = right();
  EngineOptions options;
  options.searches = false;
  EXPECT_EQ(run_one(searching_for_large_totals(), without, options).searched, 0);
  EXPECT_EQ(with.calls_made(), without.calls_made() + static_cast<std::uint64_t>(result.searched));
}

TEST(SearchTest, GoesNowhereFromWhatIsNoNumberOrDoesNotReturn) {
  Check check = searching_for_large_totals();
  Fake implementation = right();
  check.searches[0].reach = [](const Case&, Implementation&) -> double {
    return std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_EQ(run_one(check, implementation).searched, 0);
  check.searches[0].reach = [](const Case&, Implementation&) -> double {
    throw CallFault{"total", engine_test::ended(Ending::crashed, 11)};
  };
  const CheckResult result = run_one(check, implementation);
  EXPECT_EQ(result.searched, 0);
  EXPECT_EQ(result.status, CheckStatus::passed);
}

TEST(SearchTest, IsNotMadeForWhatFailsAnyway) {
  Fake implementation([](const RowVector&) { return returned(0.5); });
  EXPECT_EQ(run_one(searching_for_large_totals(), implementation).searched, 0);
}

TEST(SearchTest, CrashOnTheWayIsTheChecksFailure) {
  Fake implementation([](const RowVector& values) {
    return sum(values) > 1000 ? engine_test::ended(Ending::crashed, 11) : returned(sum(values));
  });
  const CheckResult result = run_one(searching_for_large_totals(), implementation);
  EXPECT_EQ(result.status, CheckStatus::crashed);
}

}  // namespace
}  // namespace grader
