#include "grader/report/html/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "grader/report/number_text.hpp"

namespace grader::html {
namespace {

// The drawing, and the room in it that the axes enclose.
constexpr double kLeft = 64;
constexpr double kRight = 628;
constexpr double kTop = 12;
constexpr double kBottom = 270;

std::string coordinate(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

struct Point {
  double x = 0;
  double y = 0;
};

// One axis: numbers to places.
class Axis {
 public:
  /// From `start` to `end` in the drawing. `numbers` are those to show, sorted, each once.
  Axis(std::vector<double> numbers, bool is_logarithmic, double start, double end)
      : is_logarithmic_(is_logarithmic), start_(start), end_(end) {
    if (numbers.empty()) numbers = {is_logarithmic ? 1.0 : 0.0};
    if (is_logarithmic_) {
      set_logarithmic(numbers);
    } else {
      set_linear(std::min(numbers.front(), 0.0), numbers.back());
    }
  }

  [[nodiscard]] bool shows(double number) const {
    return std::isfinite(number) && (!is_logarithmic_ || number > 0);
  }

  [[nodiscard]] double place(double number) const {
    const double at = is_logarithmic_ ? std::log10(number) : number;
    return start_ + (at - low_) / (high_ - low_) * (end_ - start_);
  }

  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  // The numbers themselves when there is room for all, else powers of ten around them.
  void set_logarithmic(const std::vector<double>& numbers) {
    low_ = std::log10(numbers.front());
    high_ = std::log10(numbers.back());
    constexpr double kRoom = 0.08;  // of the axis for each label
    bool has_room = numbers.size() > 1;
    for (std::size_t index = 1; index < numbers.size(); ++index) {
      const double gap = std::log10(numbers[index]) - std::log10(numbers[index - 1]);
      has_room = has_room && gap >= kRoom * (high_ - low_);
    }
    if (has_room) {
      ticks_ = numbers;
      return;
    }
    low_ = std::floor(low_ + 1e-9);
    high_ = std::max(low_ + 1, std::ceil(high_ - 1e-9));
    for (double decade = low_; decade <= high_; ++decade) ticks_.push_back(std::pow(10, decade));
  }

  // From zero on, unless there are negative numbers.
  void set_linear(double low, double high) {
    const double step = nice_step((high - low) / 4);
    low_ = std::floor(low / step + 1e-9) * step;
    high_ = std::max(low_ + step, std::ceil(high / step - 1e-9) * step);
    const auto count = static_cast<int>(std::lround((high_ - low_) / step));
    for (int tick = 0; tick <= count; ++tick) {
      const double at = low_ + tick * step;
      ticks_.push_back(std::abs(at) < step / 2 ? 0 : at);
    }
  }

  // 1, 2 or 5 times a power of ten, at least `rough`.
  static double nice_step(double rough) {
    if (!(rough > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor * power >= rough) return factor * power;
    }
    return 10 * power;
  }

  bool is_logarithmic_;
  double start_;
  double end_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

Axis axis_of(const Figure& figure, std::vector<double> Series::*numbers, bool is_logarithmic,
             double start, double end) {
  std::vector<double> shown;
  for (const Series& series : figure.series) {
    for (const double number : series.*numbers) {
      if (std::isfinite(number) && (!is_logarithmic || number > 0)) shown.push_back(number);
    }
  }
  std::ranges::sort(shown);
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return {std::move(shown), is_logarithmic, start, end};
}

// The pieces of a line between points that cannot be shown.
std::vector<std::vector<Point>> pieces_of(const Series& series, const Axis& across,
                                          const Axis& up) {
  std::vector<std::vector<Point>> pieces;
  bool is_broken = true;
  for (std::size_t index = 0; index < std::min(series.x.size(), series.y.size()); ++index) {
    if (!across.shows(series.x[index]) || !up.shows(series.y[index])) {
      is_broken = true;
      continue;
    }
    if (is_broken) pieces.emplace_back();
    is_broken = false;
    pieces.back().push_back({across.place(series.x[index]), up.place(series.y[index])});
  }
  return pieces;
}

Data line_of(const Series& series, std::size_t color, const Axis& across, const Axis& up) {
  std::string path;
  Data points = list();
  for (const auto& piece : pieces_of(series, across, up)) {
    for (std::size_t index = 0; index < piece.size(); ++index) {
      const std::string x = coordinate(piece[index].x);
      const std::string y = coordinate(piece[index].y);
      path += (index == 0 ? "M" : "L") + x + " " + y;
      if (!series.is_theory) points << object({{"x", x}, {"y", y}});
    }
  }
  return object({{"path", path},
                 {"points", points},
                 {"class", "c" + std::to_string(color) + (series.is_theory ? " theory" : "")},
                 {"name", series.name}});
}

Data ticks_of(const Axis& axis) {
  Data ticks = list();
  for (const double number : axis.ticks()) {
    ticks << object({{"at", coordinate(axis.place(number))}, {"label", number_text(number, 3)}});
  }
  return ticks;
}

// All numbers, one row for each x.
Data numbers_of(const Figure& figure) {
  std::vector<double> all_x;
  for (const Series& series : figure.series) {
    for (const double x : series.x) {
      if (std::ranges::find(all_x, x) == all_x.end()) all_x.push_back(x);
    }
  }
  std::ranges::sort(all_x);
  Data rows = list();
  for (const double x : all_x) {
    Data cells = list();
    for (const Series& series : figure.series) {
      const auto found = std::ranges::find(series.x, x);
      const auto index = static_cast<std::size_t>(found - series.x.begin());
      cells << Data{index < series.y.size() ? number_text(series.y[index], kFewDigits) : ""};
    }
    rows << object({{"head", number_text(x, kFewDigits)}, {"cells", cells}});
  }
  return rows;
}

}  // namespace

Data plot(const Figure& figure) {
  const Axis across = axis_of(figure, &Series::x, figure.x_is_logarithmic, kLeft, kRight);
  const Axis up = axis_of(figure, &Series::y, figure.y_is_logarithmic, kBottom, kTop);
  Data lines = list();
  Data names = list();
  std::vector<std::string> colored;  // what stands before " (" shares a colour
  for (const Series& series : figure.series) {
    const std::string family = series.name.substr(0, series.name.find(" ("));
    auto color = std::ranges::find(colored, family);
    if (color == colored.end()) color = colored.insert(colored.end(), family);
    lines << line_of(series, static_cast<std::size_t>(color - colored.begin()) % 4, across, up);
    names << Data{series.name};
  }
  return object({{"lines", lines},
                 {"names", names},
                 {"x_title", figure.x_title},
                 {"y_title", figure.y_title},
                 {"x_ticks", ticks_of(across)},
                 {"y_ticks", ticks_of(up)},
                 {"rows", numbers_of(figure)}});
}

}  // namespace grader::html
