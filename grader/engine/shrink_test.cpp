#include "grader/engine/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "grader/engine/simplicity.hpp"

namespace grader {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A case like those of the lesson: Q, K (n × d_k), V (n × d_v), a token and an option.
Case attention_case(std::int64_t n, std::int64_t d_k, std::int64_t d_v, double (*entry)(int)) {
  Matrix Q(n, d_k);
  Matrix K(n, d_k);
  Matrix V(n, d_v);
  int count = 0;
  for (Matrix* matrix : {&Q, &K, &V}) {
    for (double& value : matrix->entries) value = entry(++count);
  }
  return {{{"Q", Q, {"n", "d_k"}},
           {"K", K, {"n", "d_k"}},
           {"V", V, {"n", "d_v"}},
           {"changed_token", n - 1, {"n"}},
           {"causal", false, {}}},
          "normal",
          ""};
}

double fraction(int count) { return std::sin(count) * 3; }

/// Follows the first accepted candidate until there is none: what RapidCheck does.
ShrinkStep shrink(const Case& start, const std::function<bool(const Case&)>& fails,
                  const Admits& admits = {}, int* tried = nullptr) {
  ShrinkStep step{start, 0, 0};
  bool smaller = true;
  while (smaller) {
    smaller = false;
    ShrinkCandidates candidates(step, admits);
    while (auto next = candidates.next()) {
      if (tried != nullptr) ++*tried;
      if (!fails(next->test_case)) continue;
      step = std::move(*next);
      smaller = true;
      break;
    }
  }
  return step;
}

TEST(SimplicityTest, NumbersAreOrderedAsPeopleReadThem) {
  const std::vector<double> order = {0,    1,     2,       3,      16,     20,       200,
                                     1000, 17,    139,     1734,   1e15,   1234567,  0.5,
                                     1.25, -2.75, 1.0 / 3, 0x1p-9, 1e-300, kInfinity};
  for (std::size_t index = 1; index < order.size(); ++index) {
    EXPECT_LT(cost_of(order[index - 1]), cost_of(order[index])) << order[index];
  }
  EXPECT_LT(cost_of(0.0), cost_of(-0.0));
  EXPECT_LT(cost_of(1.0), cost_of(-1.0));
  EXPECT_LT(cost_of(-1.0), cost_of(2.0));
  EXPECT_EQ(cost_of(kInfinity), cost_of(std::nan("")));
}

TEST(ShrinkTest, LargeNumbersBecomeRoundOnes) {
  Case large;
  large.inputs = {{"z", RowVector{{1734.25, -139}}, {"n"}}};
  // Fails as long as the first number is above 1200 and the second below -110.
  const auto fails = [](const Case& test_case) {
    const RowVector& z = test_case.row("z");
    return z.size() == 2 && z(0) > 1200 && z(1) < -110;
  };
  const Case minimal = shrink(large, fails).test_case;
  EXPECT_EQ(minimal.row("z").entries, (std::vector<double>{2000, -200}));
}

TEST(SimplicityTest, IntegersAreOrderedWithoutOverflow) {
  EXPECT_LT(cost_of(std::int64_t{0}), cost_of(std::int64_t{1}));
  EXPECT_LT(cost_of(std::int64_t{-1}), cost_of(std::int64_t{2}));
  EXPECT_GT(cost_of(std::numeric_limits<std::int64_t>::min()), cost_of(std::int64_t{1000}));
}

TEST(SimplicityTest, FewerEntriesBeatSimplerNumbers) {
  EXPECT_LT(cost_of(attention_case(1, 1, 1, fraction)),
            cost_of(attention_case(2, 2, 2, [](int) { return 0.0; })));
}

TEST(KeepIndicesTest, RemovesAnIndexFromAllInputsThatShareIt) {
  Case test_case = attention_case(4, 2, 3, [](int count) { return static_cast<double>(count); });
  test_case.inputs.push_back({"weights", Matrix(4, 4, 1), {"n", "n"}});
  test_case.inputs.push_back({"row", RowVector{{1, 2, 3, 4}}, {"n"}});
  test_case.inputs.push_back({"fixed", Matrix(4, 4, 1), {}});
  const Case kept = keep_indices(test_case, "n", {0, 3});
  EXPECT_EQ(kept.matrix("Q").rows, 2);
  EXPECT_EQ(kept.matrix("Q")(1, 0), 7);
  EXPECT_EQ(kept.matrix("V").columns, 3);
  EXPECT_EQ(kept.matrix("weights").rows, 2);
  EXPECT_EQ(kept.matrix("weights").columns, 2);
  EXPECT_EQ(kept.row("row").entries, (std::vector<double>{1, 4}));
  EXPECT_EQ(kept.matrix("fixed").rows, 4);
  EXPECT_EQ(kept.integer("changed_token"), 1) << "token 3 is now token 1";
  EXPECT_EQ(keep_indices(test_case, "n", {0, 1}).integer("changed_token"), 1)
      << "token 3 is gone; the last one that is left stands in";
}

TEST(ShrinkTest, WhatAlwaysFailsBecomesTheSimplestCase) {
  int tried = 0;
  const Case minimal =
      shrink(
          attention_case(9, 5, 7, fraction), [](const Case&) { return true; }, {}, &tried)
          .test_case;
  const CaseCost cost = cost_of(minimal);
  EXPECT_EQ(cost.entries, 3U);
  EXPECT_EQ(cost.discrete, 0U);
  EXPECT_EQ(cost.numbers, 0U);
  EXPECT_TRUE(minimal.boolean("causal"));
  EXPECT_LE(tried, 20);
}

TEST(ShrinkTest, EveryCandidateIsSimplerAndAdmitted) {
  const Admits admits = [](const Case& test_case) {
    return test_case.matrix("Q").rows >= 2 && test_case.integer("changed_token") >= 1;
  };
  ShrinkCandidates candidates({attention_case(6, 3, 4, fraction), 0, 0}, admits);
  const CaseCost start = cost_of(attention_case(6, 3, 4, fraction));
  int count = 0;
  while (const auto next = candidates.next()) {
    ++count;
    EXPECT_LT(cost_of(next->test_case), start);
    EXPECT_TRUE(admits(next->test_case));
    EXPECT_EQ(next->test_case.matrix("K").rows, next->test_case.matrix("Q").rows);
    EXPECT_LT(next->test_case.integer("changed_token"), next->test_case.matrix("Q").rows);
  }
  EXPECT_GT(count, 100);
}

TEST(ShrinkTest, CandidatesFromAnyPlaceAreTheSameSet) {
  const Case test_case = attention_case(3, 2, 2, fraction);
  const auto count_from = [&](std::size_t phase, std::size_t position) {
    ShrinkCandidates candidates({test_case, phase, position}, {});
    int count = 0;
    while (candidates.next()) ++count;
    return count;
  };
  const int all = count_from(0, 0);
  EXPECT_EQ(count_from(1, 3), all);
  EXPECT_EQ(count_from(3, 0), all);
  EXPECT_EQ(count_from(5, 17), all);
  EXPECT_EQ(count_from(5, 100000), all);
}

TEST(ShrinkTest, FrozenNumbersStayButStructureShrinks) {
  Case test_case = attention_case(6, 3, 4, fraction);
  for (Input& input : test_case.inputs) input.frozen = true;
  const Case minimal = shrink(test_case, [](const Case&) { return true; }).test_case;
  EXPECT_EQ(cost_of(minimal).entries, 3U);
  EXPECT_EQ(minimal.matrix("Q")(0, 0), fraction(1));
  EXPECT_FALSE(minimal.boolean("causal"));
}

TEST(ShrinkTest, MissingScaleGetsASmallCounterexampleInFewSteps) {
  // Some logit of at least two features is not zero: what a missing 1/√d_k needs to be seen.
  const auto fails = [](const Case& test_case) {
    const Matrix& Q = test_case.matrix("Q");
    const Matrix& K = test_case.matrix("K");
    for (std::int64_t row = 0; row < Q.rows; ++row) {
      double logit = 0;
      for (std::int64_t column = 0; column < Q.columns; ++column) {
        logit += Q(row, column) * K(row, column);
      }
      const auto d_k = static_cast<double>(Q.columns);
      if (std::fabs(logit - logit / std::sqrt(d_k)) > 1e-12) return true;
    }
    return false;
  };
  int tried = 0;
  const Case minimal = shrink(attention_case(12, 8, 5, fraction), fails, {}, &tried).test_case;
  EXPECT_EQ(minimal.matrix("Q").rows, 1);
  EXPECT_EQ(minimal.matrix("Q").columns, 2);
  EXPECT_EQ(minimal.matrix("V").columns, 1);
  EXPECT_EQ(cost_of(minimal).numbers, 2U) << "one 1 in Q and one in K";
  EXPECT_LE(tried, 60);
}

TEST(ShrinkTest, SpecialNumbersAreSimplifiedAndDoNotLoop) {
  Case test_case{
      {{"values", RowVector{{kInfinity, std::nan(""), -0.0, 5e-324, -1e308, 1.0 / 3}}, {}}},
      "",
      ""};
  int tried = 0;
  const auto fails = [](const Case& candidate) {
    return std::ranges::count(candidate.row("values").entries, kInfinity) == 1;
  };
  const Case minimal = shrink(test_case, fails, {}, &tried).test_case;
  EXPECT_EQ(minimal.row("values").entries, (std::vector<double>{kInfinity, 0, 0, 0, 0, 0}));
  EXPECT_LE(tried, 200);
}

TEST(ShrinkTest, EndsWhereNoSimplerCandidateFailsForAnyWayOfFailing) {
  const Case start = attention_case(4, 3, 2, fraction);
  for (std::uint64_t key = 0; key < 100; ++key) {
    // Whether a case fails is as good as random, but always the same for the same case.
    const auto fails = [key](const Case& test_case) {
      std::uint64_t hash = key;
      for (const char* name : {"Q", "K", "V"}) {
        for (const double entry : test_case.matrix(name).entries) {
          hash = (hash ^ std::bit_cast<std::uint64_t>(entry)) * 0x9e3779b97f4a7c15U;
          hash ^= hash >> 29U;
        }
      }
      return hash % 3 == 0;
    };
    const Case minimal = shrink(start, fails).test_case;
    EXPECT_LE(cost_of(minimal), cost_of(start));
    ShrinkCandidates candidates({minimal, 0, 0}, {});
    while (const auto next = candidates.next()) ASSERT_FALSE(fails(next->test_case)) << key;
  }
}

}  // namespace
}  // namespace grader
