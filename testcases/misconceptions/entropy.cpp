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

AttentionModel smoothed_by(double amount) {
  AttentionModel model;
  model.entropy = [amount](const RowVector& weights) {
    double sum = 0;
    for (double weight : weights.entries) sum -= weight * std::log(weight + amount);
    return sum;
  };
  return model;
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
      {"E01",
       "entropy in bits",
       {kScaling},
       {.entropy = in_bits},
       "The logarithm has base 2, which gives bits. The contract asks for nats: the natural "
       "logarithm, std::log."},
      {"E02",
       "entropy without the minus sign",
       {kScaling},
       {.entropy = without_minus},
       "The sign is missing. The logarithm of a weight is negative, so the entropy is −Σ w·ln w."},
      {"E03",
       "0·log 0 is NaN",
       {kScaling},
       {.entropy = without_zero_guard},
       "0·ln 0 is NaN in floating point. By convention it is 0: leave out weights that are zero."},
      {"E04",
       "entropy averaged instead of summed",
       {kScaling},
       {.entropy = averaged},
       "The sum was divided by the number of weights. Entropy is the sum −Σ w·ln w itself."},
      {"E05",
       "a small number such as 1e-7 added inside the logarithm",
       {kScaling},
       smoothed_by(1e-7),
       "A small number inside the logarithm changes every term. Leave out weights that are zero "
       "instead.",
       {smoothed_by(1e-3), smoothed_by(1e-4), smoothed_by(1e-5), smoothed_by(1e-6),
        smoothed_by(1e-8)}},
      {"E06",
       "the weight is missing before the logarithm",
       {kScaling},
       {.entropy = sum_of_logarithms},
       "Each logarithm has to be multiplied by its weight: −Σ w·ln w."},
      {"E07",
       "entropy with base 10",
       {kScaling},
       {.entropy = in_decimal_digits},
       "The logarithm has base 10. The contract asks for nats: the natural logarithm, std::log."},
      {"E08",
       "entropy always 0",
       {kScaling},
       {.entropy = always_zero},
       "Entropy is never computed: it is −Σ w·ln w, 0 only for a row with all its weight on one "
       "token."},
  };
}

}  // namespace attention_assignment::misconceptions
