// The quality of the generators: what the checks can find depends on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"
#include "testcases/generators/neighbours.hpp"
#include "testcases/generators/relations.hpp"
#include "testcases/generators/rows.hpp"
#include "testcases/generators/shapes.hpp"
#include "testcases/generators/variants.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Matrix;
using grader::Schedule;

constexpr std::int64_t kCases = 500;

class TwisterRandom final : public grader::Random {
 public:
  explicit TwisterRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

template <class Draw>
std::vector<Case> draw_all(Draw draw, std::int64_t cases = kCases) {
  std::vector<Case> drawn;
  for (std::int64_t index = 0; index < cases; ++index) {
    TwisterRandom random(static_cast<std::uint64_t>(1000 + index));
    drawn.push_back(draw(random, Schedule{index, cases}));
  }
  return drawn;
}

const std::vector<Case>& drawn_inputs() {
  static const std::vector<Case> cases = draw_all(draw_attention_inputs);
  return cases;
}

double share(const std::vector<Case>& cases, const std::function<bool(const Case&)>& holds) {
  return static_cast<double>(std::ranges::count_if(cases, holds)) /
         static_cast<double>(cases.size());
}

bool is_square(std::int64_t number) {
  const auto root = std::llround(std::sqrt(static_cast<double>(number)));
  return root * root == number;
}

// ---- Shapes ---------------------------------------------------------------------

std::vector<CaseShape> drawn_shapes() {
  std::vector<CaseShape> shapes;
  for (std::int64_t index = 0; index < kCases; ++index) {
    TwisterRandom random(static_cast<std::uint64_t>(index));
    shapes.push_back(draw_shape(random, {index, kCases}));
  }
  return shapes;
}

TEST(ShapesTest, EveryShapeUpToThreeOccurs) {
  std::set<std::array<std::int64_t, 3>> seen;
  for (const CaseShape& shape : drawn_shapes()) {
    if (shape.n <= 3 && shape.d_k <= 3 && shape.d_v <= 3) {
      seen.insert({shape.n, shape.d_k, shape.d_v});
    }
  }
  EXPECT_EQ(seen.size(), 27U);
}

TEST(ShapesTest, MostAreUnevenManyTokensAndNoSquareRoots) {
  std::int64_t different = 0;
  std::int64_t many_tokens = 0;
  std::int64_t not_square = 0;
  std::int64_t large = 0;
  std::int64_t beyond_buffers = 0;
  for (const CaseShape& shape : drawn_shapes()) {
    different += shape.n != shape.d_k && shape.n != shape.d_v && shape.d_k != shape.d_v ? 1 : 0;
    many_tokens += shape.n >= 6 ? 1 : 0;
    not_square += is_square(shape.d_k) ? 0 : 1;
    large += shape.n > 12 ? 1 : 0;
    beyond_buffers += shape.n > 128 ? 1 : 0;
    EXPECT_LE(shape.n, 136);
    EXPECT_LE(shape.d_k, 128);
  }
  EXPECT_GE(different, kCases * 9 / 10);
  EXPECT_GE(many_tokens, kCases * 3 / 4);
  EXPECT_GE(not_square, kCases / 2);
  EXPECT_EQ(large, 4);
  EXPECT_EQ(beyond_buffers, 1);
}

// ---- neighbours -----------------------------------------------------------------

TEST(NeighboursTest, KeepSizesAndStayNear) {
  TwisterRandom random(1);
  const Case lesson = lesson_cases().front();
  bool changed_Q = false;
  bool changed_K = false;
  for (int draw = 0; draw < 100; ++draw) {
    const Case next = with_other_products(random, lesson);
    EXPECT_EQ(next.matrix("Q").rows, 4);
    EXPECT_EQ(next.matrix("K").columns, 2);
    EXPECT_EQ(next.matrix("V").entries, lesson.matrix("V").entries);
    EXPECT_TRUE(next.boolean("causal"));
    EXPECT_LE(largest_product(next.matrix("Q"), next.matrix("K")), 64);
    changed_Q = changed_Q || next.matrix("Q").entries != lesson.matrix("Q").entries;
    changed_K = changed_K || next.matrix("K").entries != lesson.matrix("K").entries;
  }
  EXPECT_TRUE(changed_Q);
  EXPECT_TRUE(changed_K);
}

TEST(NeighboursTest, OfARowOfLogitsKeepMinusInfinity) {
  TwisterRandom random(1);
  Case row;
  const double masked = -std::numeric_limits<double>::infinity();
  row.inputs = {{"z", grader::RowVector{{masked, -2, 3}}, {"m"}}};
  for (int draw = 0; draw < 100; ++draw) {
    const Case next = with_other_row(random, row);
    ASSERT_EQ(next.row("z").size(), 3);
    EXPECT_EQ(next.row("z")(0), masked);
    EXPECT_TRUE(std::isfinite(next.row("z")(1)));
  }
}

// ---- attention_inputs -----------------------------------------------------------

TEST(AttentionInputsTest, StayInTheDomainOfTheJudgeableCases) {
  for (const Case& drawn : drawn_inputs()) {
    EXPECT_TRUE(admits_attention_inputs(drawn)) << drawn.label;
  }
}

TEST(AttentionInputsTest, DomainMeansWhatItSays) {
  for (const Case& drawn : drawn_inputs()) {
    const AttentionInputs inputs = attention_inputs_of(drawn);
    for (std::int64_t i = 0; i < inputs.n(); ++i) {
      double low = 1e300;
      double high = -1e300;
      for (std::int64_t j = 0; j < inputs.n(); ++j) {
        double sum = 0;
        for (std::int64_t c = 0; c < inputs.d_k(); ++c) sum += inputs.Q(i, c) * inputs.K(j, c);
        low = std::min(low, sum);
        high = std::max(high, sum);
      }
      EXPECT_LE(std::max(std::abs(low), std::abs(high)), 600) << drawn.label;
      EXPECT_LE(high - low, 300) << drawn.label;
    }
    for (const double value : inputs.V.entries) EXPECT_LE(std::abs(value), 1e100) << drawn.label;
  }
}

TEST(AttentionInputsTest, ReachTheirQuotas) {
  for (const grader::Quota& quota : attention_input_quotas()) {
    EXPECT_GE(share(drawn_inputs(), [&](const Case& drawn) { return drawn.label == quota.label; }),
              quota.minimum_share)
        << quota.label;
  }
}

TEST(AttentionInputsTest, MixOptionsWithEveryClassAndSmallShape) {
  std::map<std::string, std::set<int>> options_of_class;
  std::set<int> options_of_small_shapes;
  for (const Case& drawn : drawn_inputs()) {
    const int options = (drawn.boolean("causal") ? 2 : 0) + (drawn.boolean("scaled") ? 1 : 0);
    options_of_class[drawn.label].insert(options);
    if (drawn.matrix("Q").rows <= 3) options_of_small_shapes.insert(options);
  }
  for (const auto& [label, options] : options_of_class) EXPECT_EQ(options.size(), 4U) << label;
  EXPECT_EQ(options_of_small_shapes.size(), 4U);
  EXPECT_GE(share(drawn_inputs(), [](const Case& drawn) { return drawn.boolean("causal"); }), 0.6);
}

TEST(AttentionInputsTest, ContainExactZeroLogitsAmongOthers) {
  // A mask that replaces every zero logit shows on a row that has zero and other logits.
  const double mixed = share(drawn_inputs(), [](const Case& drawn) {
    const AttentionInputs inputs = attention_inputs_of(drawn);
    bool zero = false;
    bool other = false;
    for (std::int64_t i = 0; i < inputs.n(); ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::int64_t c = 0; c < inputs.d_k(); ++c) sum += inputs.Q(i, c) * inputs.K(j, c);
        (sum == 0 ? zero : other) = true;
      }
    }
    return zero && other;
  });
  EXPECT_GE(mixed, 0.08);
}

TEST(AttentionInputsTest, ContainNegativeZeros) {
  EXPECT_GE(share(drawn_inputs(),
                  [](const Case& drawn) {
                    return std::ranges::any_of(drawn.matrix("Q").entries, [](double entry) {
                      return entry == 0 && std::signbit(entry);
                    });
                  }),
            0.03);
}

TEST(AttentionInputsTest, AreMostlyNotWholeNumbers) {
  // Integer accumulators are invisible on whole numbers.
  EXPECT_GE(share(drawn_inputs(),
                  [](const Case& drawn) {
                    return std::ranges::any_of(drawn.matrix("Q").entries, [](double entry) {
                      return entry != std::floor(entry);
                    });
                  }),
            0.7);
}

TEST(AttentionInputsTest, NormalEntriesHaveMeanZeroAndVarianceOne) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const Case& drawn : drawn_inputs()) {
    if (drawn.label != "normal" || drawn.matrix("Q").rows > 12) continue;
    for (const double entry : drawn.matrix("K").entries) {
      sum += entry;
      squares += entry * entry;
      ++count;
    }
  }
  EXPECT_NEAR(sum / count, 0, 0.05);
  EXPECT_NEAR(squares / count, 1, 0.07);
}

TEST(AttentionInputsTest, SameSeedDrawsTheSameCase) {
  const auto again = draw_all(draw_attention_inputs);
  for (std::size_t index = 0; index < again.size(); ++index) {
    EXPECT_TRUE(grader::identical(again[index], drawn_inputs()[index]));
  }
}

TEST(AttentionInputsTest, OtherGeneratorsBeginWithTheSameDraws) {
  // Checks that share the generator's name share calls because of this.
  const auto rows = draw_all(draw_inputs_and_row);
  const auto related = draw_all(draw_related_inputs);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    for (const char* name : {"Q", "K", "V"}) {
      EXPECT_TRUE(grader::identical(rows[index].matrix(name), drawn_inputs()[index].matrix(name)));
      EXPECT_TRUE(
          grader::identical(related[index].matrix(name), drawn_inputs()[index].matrix(name)));
    }
  }
}

TEST(AttentionInputsTest, LessonExampleLeadsInAllOptions) {
  const auto lesson = lesson_cases();
  ASSERT_EQ(lesson.size(), 4U);
  EXPECT_TRUE(lesson[0].boolean("causal") && lesson[0].boolean("scaled"));
  for (const Case& each : lesson) EXPECT_TRUE(admits_attention_inputs(each));
}

// ---- Variants -------------------------------------------------------------------

TEST(VariantsTest, ChangedTokensAreAdmittedAndChangeSomething) {
  for (const Case& drawn : draw_all(draw_changed_tokens)) {
    ASSERT_TRUE(admits_changed_tokens(drawn)) << drawn.label;
    const AttentionInputs before = attention_inputs_of(drawn);
    const AttentionInputs after = changed_inputs_of(drawn);
    const std::int64_t first = drawn.integer("changed_token");
    EXPECT_NE(before.V(first, 0), after.V(first, 0)) << drawn.label;
    EXPECT_EQ(before.K(first - 1, 0), after.K(first - 1, 0));
  }
}

TEST(VariantsTest, OnlyTokenFourChangesInTheLesson) {
  for (const Case& lesson : lesson_changes()) {
    const AttentionInputs before = attention_inputs_of(lesson);
    const AttentionInputs after = changed_inputs_of(lesson);
    for (std::int64_t row = 0; row < 4; ++row) {
      EXPECT_EQ(before.K(row, 0) == after.K(row, 0), row < 3);
    }
    EXPECT_TRUE(admits_changed_tokens(lesson));
  }
}

TEST(VariantsTest, ProjectionsAreAdmitted) {
  for (const Case& drawn : draw_all(draw_projections)) EXPECT_TRUE(admits_projections(drawn));
  EXPECT_TRUE(admits_projections(lesson_projections()));
}

TEST(VariantsTest, SelectedTokensProjectBackToTheInputs) {
  const AttentionInputs inputs = lesson_inputs({});
  const SelectedTokens tokens = select_from_tokens(inputs);
  for (std::int64_t row = 0; row < 4; ++row) {
    for (std::int64_t column = 0; column < 2; ++column) {
      double sum = 0;
      for (std::int64_t inner = 0; inner < tokens.X.columns; ++inner) {
        sum += tokens.X(row, inner) * tokens.projections.W_v(inner, column);
      }
      EXPECT_EQ(sum, inputs.V(row, column));
    }
  }
}

TEST(VariantsTest, RelationsKeepTheDomainAndAllOccur) {
  std::map<Relation, int> seen;
  for (const Case& drawn : draw_all(draw_related_inputs)) {
    EXPECT_TRUE(admits_related_inputs(drawn)) << drawn.label;
    ++seen[relation_of(drawn)];
  }
  EXPECT_GE(seen[Relation::shifted_keys], 100);
  EXPECT_GE(seen[Relation::repeated_features], 50);
  EXPECT_GE(seen[Relation::permuted_tokens], 15);
  EXPECT_GE(seen[Relation::none], 50);
}

// ---- Rows -----------------------------------------------------------------------

TEST(RowsTest, OrdinaryRowsAreOrdinary) {
  for (std::int64_t index = 0; index < kCases; ++index) {
    TwisterRandom random(static_cast<std::uint64_t>(index));
    const LabelledRow drawn = draw_logits(random, {index, kCases});
    EXPECT_TRUE(is_ordinary_row(drawn.row)) << drawn.label;
    EXPECT_TRUE(is_ordinary_row(draw_dyadic_logits(random)));
  }
}

TEST(RowsTest, ExtremeRowsKeepThePromiseAndLeaveTheDomain) {
  int outside = 0;
  for (std::int64_t index = 0; index < kCases; ++index) {
    TwisterRandom random(static_cast<std::uint64_t>(index));
    const LabelledRow drawn = draw_extreme_logits(random, {index, kCases});
    EXPECT_TRUE(is_promised_row(drawn.row)) << drawn.label;
    outside += is_ordinary_row(drawn.row) ? 0 : 1;
  }
  EXPECT_GE(outside, kCases / 2);
}

TEST(RowsTest, OnlyExtremeRowsBeginMasked) {
  EXPECT_FALSE(is_ordinary_row({{-std::numeric_limits<double>::infinity(), 0}}));
  EXPECT_TRUE(is_ordinary_row({{0, -std::numeric_limits<double>::infinity()}}));
  EXPECT_FALSE(is_promised_row({{std::nan(""), 0}}));
  EXPECT_FALSE(is_promised_row({{-std::numeric_limits<double>::infinity()}}));
}

TEST(RowsTest, DistributionsSumToOne) {
  for (std::int64_t index = 0; index < kCases; ++index) {
    TwisterRandom random(static_cast<std::uint64_t>(index));
    double sum = 0;
    for (const double weight : draw_distribution(random, {index, kCases}).row.entries) {
      EXPECT_GE(weight, 0);
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

// ---- Domain ---------------------------------------------------------------------

TEST(DomainTest, RefusesLogitsAndValuesOutOfRange) {
  EXPECT_TRUE(in_domain(Matrix(2, 1, 20.0), Matrix(2, 1, 30.0), Matrix(2, 1, 1e100)));
  EXPECT_FALSE(in_domain(Matrix(2, 1, 20.0), Matrix(2, 1, 30.1), Matrix(2, 1, 1.0)));
  EXPECT_FALSE(in_domain(Matrix(2, 1, 1.0), Matrix(2, 1, 1.0), Matrix(2, 1, 2e100)));
  EXPECT_FALSE(in_domain(Matrix(2, 1, std::nan("")), Matrix(2, 1, 1.0), Matrix(2, 1, 1.0)));
  Matrix apart(2, 1, 0.0);
  apart(1, 0) = 320;
  EXPECT_FALSE(in_domain(Matrix(2, 1, 1.0), apart, Matrix(2, 1, 1.0)));
}

TEST(DomainTest, FittingHalvesQueriesAlone) {
  Matrix Q(1, 2, 64.0);
  Q(0, 1) = -0.0;
  const Matrix K(1, 2, 64.0);
  EXPECT_TRUE(fit_into_domain(Q, K, Matrix(1, 1, 1.0)));
  EXPECT_EQ(Q(0, 0), 4.0);
  EXPECT_TRUE(std::signbit(Q(0, 1)));
  EXPECT_FALSE(fit_into_domain(Q, K, Matrix(1, 1, 1e200)));
}

}  // namespace
}  // namespace attention_assignment
