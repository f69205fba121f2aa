#include "grader/report/html/figure_card.hpp"

#include "grader/report/html/matrix_table.hpp"
#include "grader/report/html/plot.hpp"

namespace grader::html {
namespace {

Data panels_of(const Figure& figure) {
  std::vector<Value> values;
  for (const Figure::Panel& panel : figure.panels) values.emplace_back(panel.values);
  std::vector<const Value*> pointers;
  for (const Value& value : values) pointers.push_back(&value);
  TableOptions options;
  options.shades = shades_for(pointers);
  options.has_triangle = !values.empty() && is_causal(values.back());
  Data panels = list();
  for (std::size_t index = 0; index < values.size(); ++index) {
    panels << *matrix_table(figure.panels[index].title, values[index], options);
  }
  return panels;
}

Data table_of(const Figure& figure) {
  Data columns = list();
  for (const std::string& column : figure.columns) columns << Data{column};
  Data rows = list();
  for (const std::vector<std::string>& row : figure.rows) {
    Data cells = list();
    for (std::size_t index = 1; index < row.size(); ++index) cells << Data{row[index]};
    rows << object({{"head", row.empty() ? "" : row.front()}, {"cells", cells}});
  }
  return object({{"columns", columns}, {"rows", rows}});
}

}  // namespace

Data figure_card(const Figure& figure) {
  const bool is_heatmap = figure.kind == Figure::Kind::heatmap;
  return object({{"title", figure.title},
                 {"figure_title", figure.title},
                 {"caption", text_or_nothing(figure.caption)},
                 {"is_heatmap", is_heatmap},
                 {"panels", is_heatmap ? panels_of(figure) : list()},
                 {"plot", figure.kind == Figure::Kind::lines ? plot(figure) : Data{false}},
                 {"table", figure.kind == Figure::Kind::table ? table_of(figure) : Data{false}}});
}

}  // namespace grader::html
