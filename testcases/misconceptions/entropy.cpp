// Mistakes in entropy(). scaling_raises_entropy() of these models calls it, as a student's would:
// that is a dependency, not a second mistake.
#include <cmath>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

double in_bits(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) {
    if (weight != 0) sum -= weight * std::log2(weight);
  }
  return sum;
}

double in_decimal_digits(const RowVector& weights) {
  return entropy_in_nats(weights) / std::log(10);
}

double without_minus(const RowVector& weights) { return -entropy_in_nats(weights); }

double without_zero_guard(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) sum -= weight * std::log(weight);
  return sum;
}

double averaged(const RowVector& weights) {
  return entropy_in_nats(weights) / static_cast<double>(weights.size());
}

double smoothed(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) sum -= weight * std::log(weight + 1e-7);
  return sum;
}

double sum_of_logarithms(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) {
    if (weight != 0) sum -= std::log(weight);
  }
  return sum;
}

double always_zero(const RowVector& /*weights*/) { return 0; }

}  // namespace

std::vector<Misconception> entropy_misconceptions() {
  return {
      {"E01", "entropy in bits", {kScaling}, {.entropy = in_bits}},
      {"E02", "entropy without the minus sign", {kScaling}, {.entropy = without_minus}},
      {"E03", "0·log 0 is NaN", {kScaling}, {.entropy = without_zero_guard}},
      {"E04", "entropy averaged instead of summed", {kScaling}, {.entropy = averaged}},
      {"E05", "1e-7 added inside the logarithm", {kScaling}, {.entropy = smoothed}},
      {"E06",
       "the weight is missing before the logarithm",
       {kScaling},
       {.entropy = sum_of_logarithms}},
      {"E07", "entropy with base 10", {kScaling}, {.entropy = in_decimal_digits}},
      {"E08", "entropy always 0", {kScaling}, {.entropy = always_zero}},
  };
}

}  // namespace attention_assignment::misconceptions
