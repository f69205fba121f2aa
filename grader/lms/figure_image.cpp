#include "grader/lms/figure_image.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/lms/exported_texts.hpp"
#include "grader/report/html/plot.hpp"
#include "grader/report/matrix_view.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/value_text.hpp"

namespace grader {
namespace {

using html::Data;

constexpr int kPlotWidth = 640;
constexpr int kPlotHeight = 320;
constexpr int kLineHeight = 20;
constexpr int kCell = 72;
constexpr int kCellHeight = 30;
constexpr int kMargin = 16;

constexpr std::string_view kStyle =
    "text{font:13px sans-serif;fill:#222}.grid{stroke:#ddd}.line{fill:none;stroke-width:2.5}"
    ".theory{stroke-dasharray:6 5;stroke-width:2}.c0{stroke:#1f5fa8}.c1{stroke:#b4530a}"
    ".c2{stroke:#1c7a4a}.c3{stroke:#8037a6}circle{fill:#fff}";

// The axes, lines and legend of html::plot().
constexpr std::string_view kPlot =
    "{{#y_ticks}}<line class=\"grid\" x1=\"64\" x2=\"628\" y1=\"{{at}}\" y2=\"{{at}}\"/>"
    "<text x=\"56\" y=\"{{at}}\" dy=\"4\" text-anchor=\"end\">{{label}}</text>{{/y_ticks}}"
    "{{#x_ticks}}<line class=\"grid\" x1=\"{{at}}\" x2=\"{{at}}\" y1=\"12\" y2=\"270\"/>"
    "<text x=\"{{at}}\" y=\"288\" text-anchor=\"middle\">{{label}}</text>{{/x_ticks}}"
    "<text x=\"346\" y=\"310\" text-anchor=\"middle\">{{x_title}}</text>"
    "<text transform=\"translate(14 141) rotate(-90)\" text-anchor=\"middle\">{{y_title}}</text>"
    "{{#lines}}<path class=\"line {{class}}\" d=\"{{path}}\"/>"
    "{{#points}}<circle class=\"{{class}}\" cx=\"{{x}}\" cy=\"{{y}}\" r=\"3.5\"/>{{/points}}"
    "{{/lines}}"
    "{{#legend}}<path class=\"line {{class}}\" d=\"M64 {{y}}h28\"/>"
    "<text x=\"100\" y=\"{{y}}\" dy=\"4\">{{name}}</text>{{/legend}}";

constexpr std::string_view kPanels =
    "{{#panels}}<text x=\"{{x}}\" y=\"20\">{{title}}</text>"
    "{{#cells}}<rect x=\"{{x}}\" y=\"{{y}}\" width=\"72\" height=\"30\" fill=\"{{color}}\" "
    "stroke=\"#999\"/><text x=\"{{middle}}\" y=\"{{y}}\" dy=\"20\" "
    "text-anchor=\"middle\">{{number}}"
    "</text>{{/cells}}{{/panels}}";

std::string document(std::string_view drawing, const Data& data, int width, int height) {
  kainjow::mustache::mustache filled{std::string(drawing)};
  const std::string size =
      "width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) + "\"";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + "><style>" + std::string(kStyle) +
         "</style><rect " + size + " fill=\"#fff\"/>" + filled.render(data) + "</svg>\n";
}

// Texts that XML takes: U+FFFE and U+FFFF are characters of UTF-8 alone.
std::string shown(const std::string& text) {
  std::string line = exported_line(text);
  for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t place = 0; (place = line.find(none, place)) != std::string::npos;) {
      line.replace(place, none.size(), "\xef\xbf\xbd");
    }
  }
  return line;
}

std::string plot_image(Figure figure) {
  figure.x_title = shown(figure.x_title);
  figure.y_title = shown(figure.y_title);
  for (Series& series : figure.series) series.name = shown(series.name);
  Data data = html::plot(figure);
  Data legend = html::list();
  int height = kPlotHeight + kLineHeight;
  for (const Data& line : data.get("lines")->list_value()) {
    legend << html::object({{"class", *line.get("class")},
                            {"name", *line.get("name")},
                            {"y", std::to_string(height)}});
    height += kLineHeight;
  }
  data.set("legend", legend);
  return document(kPlot, data, kPlotWidth, height);
}

// White at zero, blue towards the largest, red towards the smallest; grey for what is no number.
std::string color_of(double number, double largest) {
  if (!std::isfinite(number)) return "#ccc";
  const double share = largest > 0 ? std::clamp(number / largest, -1.0, 1.0) : 0;
  constexpr double kMostTaken = 110;
  const int rest = 255 - static_cast<int>(kMostTaken * std::abs(share));
  const std::string faded = std::to_string(rest);
  return share < 0 ? "rgb(255," + faded + "," + faded + ")"
                   : "rgb(" + faded + "," + faded + ",255)";
}

double largest_of(const std::vector<Figure::Panel>& panels) {
  double largest = 0;
  for (const Figure::Panel& panel : panels) {
    for (const double entry : panel.values.entries) {
      if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
    }
  }
  return largest;
}

std::string heatmap_image(const Figure& figure) {
  constexpr int kTop = 28;
  const double largest = largest_of(figure.panels);
  Data panels = html::list();
  int left = kMargin;
  int height = kTop;
  for (const Figure::Panel& panel : figure.panels) {
    const auto rows = static_cast<int>(std::min(panel.values.rows, kShownRows));
    const auto columns = static_cast<int>(std::min(panel.values.columns, kShownColumns));
    Data cells = html::list();
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const double number = panel.values(row, column);
        const int x = left + column * kCell;
        cells << html::object({{"x", std::to_string(x)},
                               {"middle", std::to_string(x + kCell / 2)},
                               {"y", std::to_string(kTop + row * kCellHeight)},
                               {"color", color_of(number, largest)},
                               {"number", number_text(number, 3)}});
      }
    }
    const bool is_cut = rows < panel.values.rows || columns < panel.values.columns;
    panels << html::object({{"x", std::to_string(left)},
                            {"title", shown(panel.title) + (is_cut ? " (its corner)" : "")},
                            {"cells", cells}});
    left += std::max(columns, 3) * kCell + kMargin;
    height = std::max(height, kTop + rows * kCellHeight + kMargin);
  }
  return document(kPanels, html::object({{"panels", panels}}), left, height);
}

}  // namespace

std::string figure_image(const Figure& figure) {
  switch (figure.kind) {
    case Figure::Kind::lines: return plot_image(figure);
    case Figure::Kind::heatmap: return heatmap_image(figure);
    case Figure::Kind::table: break;
  }
  return "";
}

}  // namespace grader
