#include "grader/report/value_text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "grader/report/comparison.hpp"
#include "grader/report/grid.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

Matrix matrix(std::int64_t rows, std::int64_t columns, std::vector<double> entries) {
  Matrix made(rows, columns);
  made.entries = std::move(entries);
  return made;
}

std::string compared(const Judgement& judgement) {
  return joined(comparison_text(judgement, 0, Paint(false)));
}

TEST(NumberTextTest, IsShortAndSaysWhatIsNotANumber) {
  EXPECT_EQ(number_text(1.0 / 3), "0.333333");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "−∞");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(exact_number_text(0.1 + 0.2), "0.30000000000000004");
}

TEST(GridTest, CutsAroundTheWantedEntry) {
  Matrix big(100, 100);
  big(70, 90) = 7;
  const auto grid = grid_of(big, 70, 90);
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->lines.size(), 8U);
  EXPECT_EQ(grid->rows_left_out, 92);
  EXPECT_EQ(grid->first_row, 66);
  EXPECT_NE(grid->lines[4].find('7'), std::string::npos);
  EXPECT_TRUE(grid->lines[0].starts_with("…"));
  EXPECT_TRUE(grid->lines[0].ends_with("…"));
}

TEST(GridTest, EmptyMatricesHaveNoLines) {
  EXPECT_TRUE(grid_of(Matrix(3, 0), 0, 0)->lines.empty());
  EXPECT_TRUE(grid_of(Matrix(0, 3), 5, 5)->lines.empty());
}

TEST(ValueTextTest, InputsStandSideBySide) {
  const std::vector<Input> inputs = {{"Q", matrix(2, 1, {1, -2}), {"n", "d_k"}, false},
                                     {"z", RowVector{{0.5, 0.25}}, {"n"}, false},
                                     {"token", std::int64_t{3}, {}, false}};
  EXPECT_EQ(joined(inputs_text(inputs, 0)), "Q =  1\n    -2\nz = 0.5  0.25    token = 3\n");
}

TEST(ValueTextTest, ComparisonMarksTheFirstDifference) {
  Judgement judgement;
  judgement.returned = {{"weights", matrix(2, 2, {0.5, 0, 0.5, 0.5})}};
  judgement.expected = {{"weights", matrix(2, 2, {1, 0, 0.5, 0.5})}};
  judgement.first_difference = Difference{"weights", 0, 0};
  EXPECT_EQ(compared(judgement),
            "weights      yours       expected\n"
            "    row 0    0.5    0      1    0    ← first difference: column 0\n"
            "    row 1    0.5  0.5    0.5  0.5\n");
}

TEST(ValueTextTest, EveryDigitIsShownWhenTheShortFormHidesTheDifference) {
  Judgement judgement;
  judgement.returned = {{"weights", RowVector{{0.1 + 0.2}}}};
  judgement.expected = {{"weights", RowVector{{0.3}}}};
  judgement.first_difference = Difference{"weights", 0, 0};
  EXPECT_NE(compared(judgement).find("yours 0.30000000000000004, expected 0.3"), std::string::npos);
}

TEST(ValueTextTest, DifferentSizesAreNamed) {
  Judgement judgement;
  judgement.returned = {{"output", Matrix(2, 1)}};
  judgement.expected = {{"output", Matrix(1, 2)}};
  EXPECT_NE(compared(judgement).find("yours (2×1)"), std::string::npos);
  EXPECT_NE(compared(judgement).find("expected (1×2)"), std::string::npos);
}

TEST(ValueTextTest, ValuesThatAgreeAreLeftOutWhenOthersDiffer) {
  Judgement judgement;
  judgement.returned = {{"logits", RowVector{{1}}}, {"sum", 0.5}};
  judgement.expected = {{"logits", RowVector{{1}}}, {"sum", 1.0}};
  EXPECT_EQ(compared(judgement).find("logits"), std::string::npos);
  EXPECT_NE(compared(judgement).find("sum"), std::string::npos);
}

TEST(ValueTextTest, TablesLoseDigitsBeforeTheyAreStacked) {
  Judgement judgement;
  judgement.returned = {{"weights", Matrix(5, 5, 1.0 / 3)}};
  judgement.expected = {{"weights", Matrix(5, 5, 2.0 / 3)}};
  EXPECT_NE(compared(judgement).find("0.3333    0.6667"), std::string::npos);
}

TEST(ValueTextTest, BigInputsAreNamedByTheirSize) {
  const std::vector<Input> inputs = {{"Q", Matrix(24, 16), {"n", "d_k"}, false}};
  EXPECT_EQ(joined(inputs_text(inputs, 0)), "Q = (24×16, in the scorecard)\n");
}

TEST(ValueTextTest, MatricesInsideRecordsStandForThemselves) {
  Record result;
  result.fields = {{"logits", matrix(1, 1, {1})}, {"weights", matrix(1, 1, {2})}};
  EXPECT_EQ(joined(inputs_text({{"result", result, {}, false}}, 0)),
            "result.logits = 1    result.weights = 2\n");
}

TEST(ValueTextTest, WideTablesAreStacked) {
  Judgement judgement;
  judgement.returned = {{"weights", Matrix(2, 8, 1.0 / 3)}};
  judgement.expected = {{"weights", Matrix(2, 8, 2.0 / 3)}};
  judgement.first_difference = Difference{"weights", 1, 0};
  const std::string table = compared(judgement);
  const std::size_t mark = table.find("← first difference");
  EXPECT_NE(mark, std::string::npos);
  EXPECT_EQ(table.find("← first difference", mark + 1), std::string::npos) << "marked once";
  EXPECT_NE(compared(judgement).find("weights, expected"), std::string::npos);
}

}  // namespace
}  // namespace grader
