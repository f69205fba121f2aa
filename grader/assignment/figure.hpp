// Figures of three generic kinds. An assignment fills them; reports draw them without knowing what
// they show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"

namespace grader {

/// One line of a plot. Points whose y is not finite are left out.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;   ///< as many as x
  bool is_theory = false;  ///< what is right, beside what the submission does
};

struct Figure {
  enum class Kind : std::uint8_t { heatmap, lines, table };
  Kind kind = Kind::table;
  std::string title;
  std::string caption;  ///< what to look at, one or two sentences

  // heatmap: one matrix beside another
  struct Panel {
    std::string title;
    Matrix values;
  };
  std::vector<Panel> panels;

  // lines
  std::string x_title;
  std::string y_title;
  bool x_is_logarithmic = false;
  bool y_is_logarithmic = false;
  std::vector<Series> series;

  // table
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< the first entry of each is its heading
};

}  // namespace grader
