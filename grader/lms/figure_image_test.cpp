#include "grader/lms/figure_image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t place = 0; (place = text.find(part, place)) != std::string::npos; ++place) {
    ++count;
  }
  return count;
}

void expect_xml(const std::string& document) {
  const TemporaryDirectory folder;
  const std::string file = (folder.path() / "image.svg").string();
  write_new(file, document, "");
  const std::string command =
      "python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' " + file;
  EXPECT_EQ(std::system(command.c_str()), 0) << document;
}

Figure figure_of(Figure::Kind kind) {
  for (const Figure& figure : examples::with_figures().figures) {
    if (figure.kind == kind) return figure;
  }
  ADD_FAILURE() << "no such figure";
  return {};
}

TEST(FigureImageTest, APlotHasALineAndANameForEachSeries) {
  const std::string image = figure_image(figure_of(Figure::Kind::lines));
  expect_xml(image);
  EXPECT_EQ(count_of(image, "<path class=\"line"), 8) << "four lines, and four in the legend";
  EXPECT_EQ(count_of(image, ">unscaled (right)<"), 1);
  EXPECT_EQ(count_of(image, "<circle"), 7) << "a point that is no number is left out";
}

TEST(FigureImageTest, AHeatmapHasACellForEachEntry) {
  Figure figure = figure_of(Figure::Kind::heatmap);
  EXPECT_EQ(count_of(figure_image(figure), "stroke=\"#999\""), 8);
  figure.panels[0].values = Matrix(1000, 1000, std::nan(""));
  const std::string image = figure_image(figure);
  expect_xml(image);
  EXPECT_EQ(count_of(image, "stroke=\"#999\""), 68);
  EXPECT_EQ(count_of(image, "yours (its corner)"), 1);
  EXPECT_EQ(count_of(image, ">NaN<"), 64);
}

TEST(FigureImageTest, ATableIsNoImage) {
  EXPECT_EQ(figure_image(figure_of(Figure::Kind::table)), "");
}

TEST(FigureImageTest, EmptyFiguresAndHostileNamesAreStillDrawn) {
  const std::string attack = "</text><script>x</script> ]]> \x1b \xff \xef\xbf\xbe {{y}}";
  for (Figure figure : examples::with_figures().figures) {
    for (Series& series : figure.series) series.name = attack;
    for (Figure::Panel& panel : figure.panels) panel.title = attack;
    figure.x_title = figure.y_title = attack;
    const std::string image = figure_image(figure);
    if (image.empty()) continue;
    expect_xml(image);
    EXPECT_EQ(count_of(image, "<script"), 0);
    EXPECT_EQ(plain_text(image, image.size()), image);
    figure.series.clear();
    figure.panels.clear();
    expect_xml(figure_image(figure));
  }
}

}  // namespace
}  // namespace grader
