#include "grader/engine/case_pool.hpp"

#include <gtest/gtest.h>

#include "grader/engine/check_run.hpp"
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

}  // namespace
}  // namespace grader
