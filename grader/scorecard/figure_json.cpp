#include "grader/scorecard/figure_json.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLineLimit = 2'000;
constexpr std::size_t kEntryLimit = 8192;

std::string line(std::string_view text) { return plain_line(text, kLineLimit); }

Json texts_to_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(line(text));
  return json;
}

[[noreturn]] void refuse(const std::string& where) {
  throw UsageFault("The scorecard is damaged: " + where + " is not a figure.",
                   "Grade the submission again to get a new scorecard.");
}

Series series_from_json(const Json& json, const std::string& where) {
  const auto numbers = [&](const char* axis) {
    const std::string place = where + "." + axis;
    return std::get<RowVector>(value_from_json(json.at(axis), "row_vector", place)).entries;
  };
  return {json.at("name").get<std::string>(), numbers("x"), numbers("y"),
          json.at("theory").get<bool>()};
}

Figure parsed(const Json& json, const std::string& where) {
  Figure figure;
  figure.title = json.at("title").get<std::string>();
  figure.caption = json.at("caption").get<std::string>();
  const std::string kind = json.at("kind").get<std::string>();
  if (kind == "heatmap") {
    figure.kind = Figure::Kind::heatmap;
    for (const Json& panel : json.at("panels")) {
      Value values = shown_value_from_json(panel.at("values"), where + ".panels");
      auto* matrix = std::get_if<Matrix>(&values);
      if (matrix == nullptr) refuse(where);
      figure.panels.push_back({panel.at("title").get<std::string>(), std::move(*matrix)});
    }
  } else if (kind == "lines") {
    figure.kind = Figure::Kind::lines;
    figure.x_title = json.at("x_title").get<std::string>();
    figure.y_title = json.at("y_title").get<std::string>();
    figure.x_is_logarithmic = json.at("x_logarithmic").get<bool>();
    figure.y_is_logarithmic = json.at("y_logarithmic").get<bool>();
    for (const Json& series : json.at("series")) {
      figure.series.push_back(series_from_json(series, where + ".series"));
    }
  } else if (kind == "table") {
    figure.kind = Figure::Kind::table;
    figure.columns = json.at("columns").get<std::vector<std::string>>();
    figure.rows = json.at("rows").get<std::vector<std::vector<std::string>>>();
  } else {
    refuse(where);
  }
  return figure;
}

}  // namespace

Json figure_to_json(const Figure& figure) {
  Json json{{"kind", ""}, {"title", line(figure.title)}, {"caption", line(figure.caption)}};
  switch (figure.kind) {
    case Figure::Kind::heatmap:
      json["kind"] = "heatmap";
      json["panels"] = Json::array();
      for (const Figure::Panel& panel : figure.panels) {
        json["panels"].push_back(
            {{"title", line(panel.title)}, {"values", value_to_json(panel.values, kEntryLimit)}});
      }
      break;
    case Figure::Kind::lines:
      json["kind"] = "lines";
      json["x_title"] = line(figure.x_title);
      json["y_title"] = line(figure.y_title);
      json["x_logarithmic"] = figure.x_is_logarithmic;
      json["y_logarithmic"] = figure.y_is_logarithmic;
      json["series"] = Json::array();
      for (const Series& series : figure.series) {
        json["series"].push_back({{"name", line(series.name)},
                                  {"theory", series.is_theory},
                                  {"x", value_to_json(RowVector{series.x})},
                                  {"y", value_to_json(RowVector{series.y})}});
      }
      break;
    case Figure::Kind::table:
      json["kind"] = "table";
      json["columns"] = texts_to_json(figure.columns);
      json["rows"] = Json::array();
      for (const std::vector<std::string>& row : figure.rows) {
        json["rows"].push_back(texts_to_json(row));
      }
      break;
  }
  return json;
}

Figure figure_from_json(const Json& json, const std::string& where) {
  try {
    return parsed(json, where);
  } catch (const Json::exception&) {
    refuse(where);
  }
}

}  // namespace grader
