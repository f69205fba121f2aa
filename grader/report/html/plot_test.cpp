#include "grader/report/html/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace grader::html {
namespace {

Figure figure_of(std::vector<Series> series, bool is_logarithmic = false) {
  Figure figure;
  figure.kind = Figure::Kind::lines;
  figure.x_is_logarithmic = is_logarithmic;
  figure.y_is_logarithmic = is_logarithmic;
  figure.series = std::move(series);
  return figure;
}

const Data& line(const Data& drawn, std::size_t index) {
  return drawn.get("lines")->list_value()[index];
}

std::vector<std::string> labels(const Data& drawn, const std::string& axis) {
  std::vector<std::string> found;
  for (const Data& tick : drawn.get(axis)->list_value()) {
    found.push_back(tick.get("label")->string_value());
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(PlotTest, LinesRunFromCornerToCorner) {
  const Data drawn = plot(figure_of({{"yours", {0, 4}, {0, 8}, false}}));
  EXPECT_EQ(line(drawn, 0).get("path")->string_value(), "M64.0 270.0L628.0 12.0");
  EXPECT_EQ(labels(drawn, "x_ticks"), (Texts{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(labels(drawn, "y_ticks"), (Texts{"0", "2", "4", "6", "8"}));
}

TEST(PlotTest, LogarithmicAxesShowFewNumbersAsTheyAreAndManyByDecades) {
  const Data few = plot(figure_of({{"yours", {1, 16, 256}, {0.5, 1, 2}, false}}, true));
  EXPECT_EQ(labels(few, "x_ticks"), (Texts{"1", "16", "256"}));
  EXPECT_EQ(line(few, 0).get("path")->string_value(), "M64.0 270.0L346.0 141.0L628.0 12.0");
  std::vector<double> many;
  for (int number = 1; number <= 11; ++number) many.push_back(number);
  EXPECT_EQ(labels(plot(figure_of({{"yours", many, many, false}}, true)), "y_ticks"),
            (Texts{"1", "10", "100"}));
}

TEST(PlotTest, WhatCannotBeShownBreaksTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Data drawn = plot(figure_of({{"yours", {0, 1, 2, 3, 4}, {0, nan, 4, infinity, 8}, false}}));
  const std::string path = line(drawn, 0).get("path")->string_value();
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 3) << path;
  EXPECT_EQ(path.find("nan"), std::string::npos) << path;
  EXPECT_EQ(path.find("inf"), std::string::npos) << path;
}

TEST(PlotTest, NothingToShowIsAnEmptyPlot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool is_logarithmic : {false, true}) {
    const Data none = plot(figure_of({{"yours", {1, 2}, {nan, nan}, false}}, is_logarithmic));
    EXPECT_EQ(line(none, 0).get("path")->string_value(), "");
    EXPECT_TRUE(plot(figure_of({}, is_logarithmic)).get("lines")->is_empty_list());
  }
}

TEST(PlotTest, TheorySharesTheColourOfWhatItIsTheTheoryOf) {
  const Data drawn = plot(figure_of({{"scaled (yours)", {1}, {1}, false},
                                     {"unscaled (yours)", {1}, {2}, false},
                                     {"scaled (right)", {1}, {1}, true}}));
  EXPECT_EQ(line(drawn, 0).get("class")->string_value(), "c0");
  EXPECT_EQ(line(drawn, 1).get("class")->string_value(), "c1");
  EXPECT_EQ(line(drawn, 2).get("class")->string_value(), "c0 theory");
}

TEST(PlotTest, NumbersStandInATableToo) {
  const Data drawn =
      plot(figure_of({{"yours", {2, 1}, {20, 10}, false}, {"theory", {2}, {3}, true}}));
  const auto& rows = drawn.get("rows")->list_value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].get("head")->string_value(), "1");
  EXPECT_EQ(rows[0].get("cells")->list_value()[0].string_value(), "10");
  EXPECT_EQ(rows[0].get("cells")->list_value()[1].string_value(), "");
  EXPECT_EQ(rows[1].get("cells")->list_value()[1].string_value(), "3");
}

}  // namespace
}  // namespace grader::html
