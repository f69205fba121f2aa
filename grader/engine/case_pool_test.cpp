#include "grader/engine/case_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "grader/engine/check_run.hpp"
#include "grader/engine/engine.hpp"
#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::draw_row;

Case draw_one(Random& random, const Schedule& /*schedule*/) {
  return {{{"values", RowVector{{random.unit()}}, {"n"}}}, "", ""};
}

class CasePoolTest : public testing::Test {
 protected:
  Case get(CasePool& pool, const Generate& generate, const Schedule& schedule,
           std::uint64_t seed = 1, const std::string& stream = "rows") {
    Check check;
    check.id = "some.check";
    check.generator = stream;
    return pool.get(stream, generate, seed, schedule, [&] {
      ++drawn_;
      return draw_case(check, generate, seed, schedule);
    });
  }

  int drawn_ = 0;
};

TEST_F(CasePoolTest, DrawsTheSameCaseOnce) {
  CasePool pool;
  const Case first = get(pool, draw_row, {3, 10});
  EXPECT_TRUE(identical(get(pool, draw_row, {3, 10}), first));
  EXPECT_EQ(drawn_, 1);
}

TEST_F(CasePoolTest, TellsCasesApartByAllThatDecidesThem) {
  CasePool pool;
  get(pool, draw_row, {3, 10});
  get(pool, draw_row, {4, 10});
  get(pool, draw_row, {3, 11});
  get(pool, draw_row, {3, 10}, 2);
  get(pool, draw_row, {3, 10}, 1, "others");
  get(pool, draw_one, {3, 10});
  EXPECT_EQ(drawn_, 6);
}

TEST_F(CasePoolTest, AsksGeneratorsThatMayDifferEachTime) {
  CasePool pool;
  double offset = 0;
  const auto with_state = [&](Random&, const Schedule&) {
    return Case{{{"values", RowVector{{offset += 1}}, {"n"}}}, "", ""};
  };
  EXPECT_EQ(get(pool, with_state, {0, 1}).row("values").entries.front(), 1);
  EXPECT_EQ(get(pool, with_state, {0, 1}).row("values").entries.front(), 2);
}

TEST_F(CasePoolTest, KeepsNoMoreThanItsLimit) {
  CasePool pool(2000);
  for (std::int64_t index = 0; index < 100; ++index) get(pool, draw_row, {index, 100});
  EXPECT_GT(pool.bytes(), 0U);
  EXPECT_LE(pool.bytes(), 2000U);
  const Case drawn_anew = get(pool, draw_row, {99, 100});
  EXPECT_EQ(drawn_, 101);
  CasePool other;
  EXPECT_TRUE(identical(drawn_anew, get(other, draw_row, {99, 100})));
}

TEST_F(CasePoolTest, CasesDrawnBeforeChangeNoResult) {
  Check check = engine_test::total_is_right();
  check.id = "total.again";
  const std::vector<Check> checks{engine_test::total_is_right(), check};
  EngineOptions options;
  options.cases = 50;
  const auto wrong_on_long_rows = [] {
    return engine_test::Fake([](const RowVector& values) {
      return engine_test::returned(engine_test::sum(values) + (values.size() > 9 ? 1 : 0));
    });
  };
  CasePool drawn = draw_cases(checks, options);
  EXPECT_GT(drawn.bytes(), 0U);
  engine_test::Fake one = wrong_on_long_rows();
  engine_test::Fake other = wrong_on_long_rows();
  const auto with = run_checks(checks, engine_test::contract(), one, options, {}, std::move(drawn));
  const auto without = run_checks(checks, engine_test::contract(), other, options);
  ASSERT_EQ(with.size(), 2U);
  for (std::size_t index = 0; index < with.size(); ++index) {
    EXPECT_EQ(with[index].status, CheckStatus::failed);
    EXPECT_EQ(with[index].cases, without[index].cases);
    EXPECT_EQ(with[index].shrinks, without[index].shrinks);
    EXPECT_TRUE(identical(with[index].original->test_case, without[index].original->test_case));
    EXPECT_TRUE(identical(with[index].minimal->test_case, without[index].minimal->test_case));
  }
}

TEST_F(CasePoolTest, EachCaseDrawnBeforeIsPreparedThen) {
  Check check = engine_test::total_is_right();
  std::vector<Case> prepared;
  check.prepare = [&](const Case& drawn) { prepared.push_back(drawn); };
  std::vector<Case> judged;
  check.judge = [&, judge = check.judge](const Case& test_case, Implementation& implementation) {
    judged.push_back(test_case);
    return judge(test_case, implementation);
  };
  EngineOptions options;
  options.cases = 50;
  CasePool drawn = draw_cases({check}, options);
  ASSERT_EQ(prepared.size(), 50U);
  EXPECT_TRUE(judged.empty());
  engine_test::Fake right(
      [](const RowVector& values) { return engine_test::returned(engine_test::sum(values)); });
  run_checks({check}, engine_test::contract(), right, options, {}, std::move(drawn));
  EXPECT_EQ(prepared.size(), 50U);
  for (const Case& each : prepared) {
    EXPECT_TRUE(
        std::ranges::any_of(judged, [&](const Case& other) { return identical(each, other); }));
  }
}

}  // namespace
}  // namespace grader
