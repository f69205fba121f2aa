#include "testcases/checks/tolerance.hpp"

#include <cmath>

namespace attention_assignment {

double relative_error(std::int64_t n, std::int64_t d_k, double largest_magnitude) {
  const double exponent = (static_cast<double>(d_k) + 12.0) * largest_magnitude;
  const double roundings = 3.0 * static_cast<double>(n) + 16.0;
  return std::expm1(2.0 * kUnitRoundoff * (exponent + roundings));
}

double softmax_relative_error(std::int64_t n, double largest_logit) {
  return relative_error(n, 0, largest_logit);
}

double logit_tolerance(std::int64_t d_k, double magnitude) {
  const auto features = static_cast<double>(d_k);
  return (features + 6.0) * kUnitRoundoff * magnitude + features * kSmallestSubnormal;
}

double weight_tolerance(double relative_error, double expected) {
  // Written apart so that an infinite relative error times an expected zero stays the tiny term.
  return expected == 0.0 ? kTiny : relative_error * expected + kTiny;
}

double row_sum_tolerance(double relative_error, std::int64_t n) {
  return relative_error + static_cast<double>(n) * kTiny;
}

double output_tolerance(double relative_error, double weight, double largest_value,
                        double sum_of_values, std::int64_t n) {
  return relative_error * weight * largest_value + kTiny * sum_of_values +
         (static_cast<double>(n) + 2.0) * kSmallestSubnormal;
}

}  // namespace attention_assignment
