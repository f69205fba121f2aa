#include "testcases/checks/reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testcases/checks/judging.hpp"
#include "testcases/checks/student.hpp"
#include "testcases/generators/attention_inputs.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Implementation;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

/// The visible logits of one row.
struct LogitsRange {
  double lowest = kInfinity;
  double highest = -kInfinity;
};

/// The largest `measure(range)` of the first rows of the own logits: all but the last
/// `rows_left_out`. Rows that are not finite lead nowhere.
template <class Measure>
double furthest_row(const Case& test_case, Implementation& implementation, Measure measure,
                    std::int64_t rows_left_out = 0) {
  const AttentionInputs inputs = attention_inputs_of(test_case);
  const AttentionResult own = Student(implementation).attention(inputs);
  if (!has_right_shapes(own, inputs, Needs::logits)) return kNowhere;
  double furthest = kNowhere;
  for (std::int64_t i = 0; i < inputs.n() - rows_left_out; ++i) {
    LogitsRange range;
    for (std::int64_t j = 0; j < inputs.n(); ++j) {
      if (!inputs.visible(i, j)) continue;
      range.lowest = std::min(range.lowest, own.logits(i, j));
      range.highest = std::max(range.highest, own.logits(i, j));
    }
    if (!std::isfinite(range.lowest) || !std::isfinite(range.highest)) continue;
    const double reached = measure(range);
    if (!(reached <= furthest)) furthest = reached;
  }
  return furthest;
}

double depth(const LogitsRange& range) { return -range.highest; }

}  // namespace

double reach_of_logits(const Case& test_case, Implementation& implementation) {
  return furthest_row(test_case, implementation, [](const LogitsRange& range) {
    return std::max(std::abs(range.lowest), std::abs(range.highest));
  });
}

double depth_of_rows(const Case& test_case, Implementation& implementation) {
  return furthest_row(test_case, implementation, depth);
}

double depth_of_masked_rows(const Case& test_case, Implementation& implementation) {
  return furthest_row(test_case, implementation, depth, 1);
}

double depth_of_row(const Case& test_case, Implementation& /*implementation*/) {
  const grader::RowVector& z = test_case.row("z");
  const double highest = *std::ranges::max_element(z.entries);
  return std::isfinite(highest) ? -highest : kNowhere;
}

}  // namespace attention_assignment
