#include "testcases/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grader/channel/in_process.hpp"
#include "reference/trusted.hpp"
#include "testcases/contract.hpp"

namespace attention_assignment {
namespace {

using grader::Figure;

std::vector<Figure> figures_of(grader::Implementation& implementation) {
  static const reference::ReferenceTrusted trusted;
  std::vector<Figure> made;
  for (const auto& make : figures(trusted)) made.push_back(make(implementation));
  return made;
}

TEST(FiguresTest, OfTheReferenceShowYoursAsRight) {
  grader::InProcessImplementation reference(contract(), &attention_grader_dispatch);
  const std::vector<Figure> made = figures_of(reference);
  ASSERT_EQ(made.size(), 4U);
  EXPECT_TRUE(identical(made[0].panels[0].values, made[0].panels[1].values));
  for (const auto& row : made[1].rows) EXPECT_EQ(row[1], row[2]) << row[0];
  for (const std::size_t lines : {2U, 3U}) {
    for (std::size_t series = 0; series < 4; series += 2) {
      EXPECT_EQ(made[lines].series[series].y, made[lines].series[series + 1].y);
    }
  }
}

TEST(FiguresTest, VarianceStaysNearOneWithTheScaleAndGrowsLikeTheFeaturesWithout) {
  grader::InProcessImplementation reference(contract(), &attention_grader_dispatch);
  const Figure variance = figures_of(reference)[2];
  for (std::size_t point = 0; point < variance.series[0].x.size(); ++point) {
    const double features = variance.series[0].x[point];
    EXPECT_NEAR(variance.series[0].y[point], 1, 0.6) << features;
    EXPECT_NEAR(variance.series[2].y[point] / features, 1, 0.6) << features;
  }
}

/// Returns matrices of no size, whatever it is asked.
class Empty final : public grader::Implementation {
 public:
  grader::Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override {
    grader::Outcome outcome = reference_.call(function, arguments);
    if (function != kAttention) return outcome;
    for (grader::Field& field : std::get<grader::Record>(outcome.value).fields) {
      field.value = grader::Matrix(0, 0);
    }
    return outcome;
  }

 private:
  grader::InProcessImplementation reference_{contract(), &attention_grader_dispatch};
};

TEST(FiguresTest, WrongSizesLeaveGaps) {
  Empty empty;
  const std::vector<Figure> made = figures_of(empty);
  EXPECT_EQ(made[0].panels[0].values.rows, 0);
  EXPECT_TRUE(std::isnan(made[2].series[0].y[0]));
  EXPECT_TRUE(std::isnan(made[3].series[0].y[0]));
}

}  // namespace
}  // namespace attention_assignment
