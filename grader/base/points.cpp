#include "grader/base/points.hpp"

#include <cmath>

namespace grader {

double rounded_points(double points) {
  constexpr double kHundredths = 100;
  constexpr double kWholeFrom = 1e14;  // doubles from here on have no hundredths
  if (!(std::abs(points) < kWholeFrom)) return points;
  return std::round(points * kHundredths) / kHundredths;
}

}  // namespace grader
