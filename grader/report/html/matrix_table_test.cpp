#include "grader/report/html/matrix_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace grader::html {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix matrix(std::int64_t rows, std::int64_t columns, std::vector<double> entries) {
  Matrix made(rows, columns);
  made.entries = std::move(entries);
  return made;
}

/// One member of the cells of a table, in reading order.
std::vector<std::string> cells(const Data& table, const std::string& member) {
  std::vector<std::string> found;
  for (const Data& line : table.get("lines")->list_value()) {
    for (const Data& cell : line.get("cells")->list_value()) {
      found.push_back(cell.get(member)->string_value());
    }
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(MatrixTableTest, WeightsAreShadedFromZeroToOne) {
  const Value weights = matrix(1, 4, {0, 0.001, 0.5, 1});
  TableOptions options;
  options.shades = shades_for({&weights});
  EXPECT_EQ(cells(*matrix_table("weights", weights, options), "class"),
            (Texts{"w0", "w1", "w3", "w6"}));
}

TEST(MatrixTableTest, OtherNumbersAreShadedBySignAndSize) {
  const Value logits = matrix(1, 6, {-4, -1, 0, 2, -kInfinity, kNaN});
  TableOptions options;
  options.shades = shades_for({&logits});
  EXPECT_EQ(cells(*matrix_table("logits", logits, options), "class"),
            (Texts{"n4", "n1", "zero", "p2", "masked", "nan"}));
}

TEST(MatrixTableTest, BothSidesOfAComparisonShareTheirShades) {
  const Value yours = matrix(1, 1, {0.5});
  const Value expected = matrix(1, 1, {8});
  EXPECT_FALSE(shades_for({&yours, &expected}).are_weights);
  EXPECT_EQ(shades_for({&yours, &expected}).largest, 8);
}

TEST(MatrixTableTest, FirstDifferenceIsMarkedInClassAndWords) {
  const Value value = matrix(2, 2, {1, 2, 3, 4});
  TableOptions options;
  options.is_marked = true;
  options.around_row = 1;
  const Data table = *matrix_table("output", value, options);
  EXPECT_EQ(cells(table, "class")[2], "zero first");
  const Data& line = table.get("lines")->list_value()[1];
  EXPECT_TRUE(line.get("cells")->list_value()[0].get("is_first")->is_true());
}

TEST(MatrixTableTest, TriangleOfTheFutureIsSetApart) {
  const Value value = matrix(2, 2, {1, 0, 0.5, 0.5});
  ASSERT_TRUE(is_causal(value));
  TableOptions options;
  options.shades = shades_for({&value});
  options.has_triangle = true;
  EXPECT_EQ(cells(*matrix_table("weights", value, options), "class"),
            (Texts{"w6 diagonal", "w0 future", "w3", "w3 diagonal"}));
}

TEST(MatrixTableTest, OnlyWhatHidesTheFutureIsCausal) {
  EXPECT_TRUE(is_causal(matrix(2, 2, {3, -kInfinity, 1, 2})));
  EXPECT_FALSE(is_causal(matrix(2, 2, {3, 1, 0, 2})));
  EXPECT_FALSE(is_causal(matrix(2, 2, {0, 0, 0, 0}))) << "nothing is seen at all";
  EXPECT_FALSE(is_causal(matrix(3, 3, {1, 0, -kInfinity, 1, 1, 0, 1, 1, 1}))) << "two fills";
  EXPECT_FALSE(is_causal(matrix(2, 3, {1, 0, 0, 1, 1, 0})));
  EXPECT_FALSE(is_causal(matrix(1, 1, {1})));
  EXPECT_FALSE(is_causal(RowVector{{1, 0}}));
}

TEST(MatrixTableTest, LargeMatricesAreCutAroundTheEntryThatMatters) {
  const Value value = Matrix(100, 40, 0.5);
  TableOptions options;
  options.around_row = 99;
  options.around_column = 20;
  const Data table = *matrix_table("weights", value, options);
  EXPECT_EQ(table.get("lines")->list_value().size(), 16U);
  EXPECT_EQ(table.get("lines")->list_value().back().get("label")->string_value(), "99");
  EXPECT_EQ(table.get("heads")->list_value().front().string_value(), "12");
  EXPECT_EQ(table.get("note")->string_value(), "a part of 100×40; the rest is in the scorecard");
}

TEST(MatrixTableTest, EmptyMatricesSaySo) {
  const Data table = *matrix_table("V", Matrix(0, 3), {});
  EXPECT_EQ(table.get("note")->string_value(), "empty, 0×3");
  EXPECT_TRUE(table.get("has_lines")->is_false());
}

TEST(MatrixTableTest, ValuesThatAreNoMatrixHaveNoTable) {
  EXPECT_FALSE(matrix_table("i", std::int64_t{3}, {}));
}

TEST(MatrixTableTest, DifferenceIsZeroWhereBothAreTheSame) {
  const auto apart = difference(matrix(1, 4, {1, kNaN, -kInfinity, 2}),
                                matrix(1, 4, {0.25, kNaN, -kInfinity, kNaN}));
  ASSERT_TRUE(apart);
  const auto& entries = std::get<Matrix>(*apart).entries;
  EXPECT_EQ(entries[0], 0.75);
  EXPECT_EQ(entries[1], 0);
  EXPECT_EQ(entries[2], 0);
  EXPECT_TRUE(std::isnan(entries[3]));
  EXPECT_FALSE(difference(matrix(1, 2, {1, 2}), matrix(2, 1, {1, 2})));
  EXPECT_FALSE(difference(std::int64_t{1}, std::int64_t{2}));
}

}  // namespace
}  // namespace grader::html
