// Mistakes in the softmax of one row. They show in softmax() and in the weights of attention().
#include <algorithm>
#include <cmath>
#include <limits>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double maximum_of(const RowVector& row) {
  return *std::max_element(row.entries.begin(), row.entries.end());
}

double sum_of(const RowVector& row) {
  double sum = 0;
  for (double entry : row.entries) sum += entry;
  return sum;
}

RowVector divided_by(RowVector row, double divisor) {
  for (double& entry : row.entries) entry /= divisor;
  return row;
}

/// exp(z - shift) of each entry.
RowVector exponentials(RowVector logits, double shift) {
  for (double& entry : logits.entries) entry = std::exp(entry - shift);
  return logits;
}

/// A softmax that subtracts `shift(logits)`.
template <typename Shift>
AttentionModel shifting_by(Shift shift) {
  AttentionModel model;
  model.softmax = [shift](const RowVector& logits) {
    const RowVector powers = exponentials(logits, shift(logits));
    return divided_by(powers, sum_of(powers));
  };
  return model;
}

/// A softmax that divides the shifted exponentials by `divisor(exponentials)`.
template <typename Divisor>
AttentionModel dividing_by(Divisor divisor) {
  AttentionModel model;
  model.softmax = [divisor](const RowVector& logits) {
    const RowVector powers = exponentials(logits, maximum_of(logits));
    return divided_by(powers, divisor(powers));
  };
  return model;
}

/// A softmax with another base.
AttentionModel with_base(double base) {
  AttentionModel model;
  model.softmax = [base](RowVector row) {
    const double maximum = maximum_of(row);
    for (double& entry : row.entries) entry = std::pow(base, entry - maximum);
    return divided_by(row, sum_of(row));
  };
  return model;
}

/// `change(weight)` of each weight of a correct softmax.
template <typename Change>
AttentionModel changing_each_weight(Change change) {
  AttentionModel model;
  model.softmax = [change](const RowVector& logits) {
    RowVector weights = stable_softmax(logits);
    for (double& weight : weights.entries) weight = change(weight);
    return weights;
  };
  return model;
}

/// `score(logit)` of each visible entry and 0 for the masked ones, without exponentials.
RowVector visible_logits(RowVector logits) {
  for (double& logit : logits.entries) {
    if (logit == -kInfinity) logit = 0;
  }
  return logits;
}

double minimum_of_finite(const RowVector& logits) {
  double minimum = kInfinity;
  for (double logit : logits.entries) {
    if (logit != -kInfinity) minimum = std::min(minimum, logit);
  }
  return minimum;
}

double mean_of_finite(const RowVector& logits) {
  double sum = 0;
  double count = 0;
  for (double logit : logits.entries) {
    if (logit == -kInfinity) continue;
    sum += logit;
    ++count;
  }
  return sum / count;
}

RowVector softmax_again(const RowVector& logits) {
  RowVector once = stable_softmax(logits);
  for (std::size_t j = 0; j < once.entries.size(); ++j) {
    if (logits.entries[j] == -kInfinity) once.entries[j] = -kInfinity;
  }
  return stable_softmax(once);
}

RowVector log_softmax(const RowVector& logits) {
  const double maximum = maximum_of(logits);
  const double log_sum = std::log(sum_of(exponentials(logits, maximum)));
  RowVector weights = visible_logits(logits);
  for (std::size_t j = 0; j < weights.entries.size(); ++j) {
    if (logits.entries[j] != -kInfinity) weights.entries[j] = logits.entries[j] - maximum - log_sum;
  }
  return weights;
}

RowVector divide_by_length(const RowVector& logits) {
  const RowVector row = visible_logits(logits);
  double squares = 0;
  for (double entry : row.entries) squares += entry * entry;
  return divided_by(row, std::sqrt(squares));
}

RowVector divide_logits_by_sum(const RowVector& logits) {
  const RowVector row = visible_logits(logits);
  return divided_by(row, sum_of(row));
}

RowVector sigmoid_of_each(RowVector logits) {
  for (double& logit : logits.entries) logit = 1 / (1 + std::exp(-logit));
  return logits;
}

RowVector one_hot_of_maximum(const RowVector& logits) {
  RowVector weights{std::vector<double>(logits.entries.size(), 0.0)};
  const auto largest = std::max_element(logits.entries.begin(), logits.entries.end());
  weights.entries[static_cast<std::size_t>(largest - logits.entries.begin())] = 1;
  return weights;
}

RowVector clamp_to_fifty(RowVector logits) {
  for (double& logit : logits.entries) {
    if (logit != -kInfinity) logit = std::clamp(logit, -50.0, 50.0);
  }
  const RowVector powers = exponentials(logits, 0);
  return divided_by(powers, sum_of(powers));
}

RowVector launder_overflow(const RowVector& logits) {
  RowVector powers = exponentials(logits, 0);
  const double sum = sum_of(powers);
  for (double& power : powers.entries) {
    power = sum == 0 ? 0 : power / sum;
    if (std::isnan(power)) power = 0;
  }
  return powers;
}

}  // namespace

std::vector<Misconception> softmax_misconceptions() {
  return {
      {"X04", "no maximum subtracted", {kSoftmaxObjective}, shifting_by([](const RowVector&) {
         return 0.0;
       })},
      {"X05",
       "the maximum starts at 0",
       {kSoftmaxObjective},
       shifting_by([](const RowVector& logits) { return std::max(0.0, maximum_of(logits)); })},
      {"X06",
       "the maximum starts at -10000",
       {kSoftmaxObjective},
       shifting_by([](const RowVector& logits) { return std::max(-1e4, maximum_of(logits)); })},
      {"X07", "the minimum is subtracted", {kSoftmaxObjective}, shifting_by(minimum_of_finite)},
      {"X08", "the mean is subtracted", {kSoftmaxObjective}, shifting_by(mean_of_finite)},
      {"X10", "softmax applied twice", {kSoftmaxObjective}, {.softmax = softmax_again}},
      {"X12", "base 2 instead of e", {kSoftmaxObjective}, with_base(2)},
      {"X13", "log-softmax used as weights", {kSoftmaxObjective}, {.softmax = log_softmax}},
      {"X14", "no normalisation", {kSoftmaxObjective}, dividing_by([](const RowVector&) {
         return 1.0;
       })},
      {"X15",
       "no normalisation and no maximum subtracted",
       {kSoftmaxObjective},
       {.softmax = [](const RowVector& logits) { return exponentials(logits, 0); }}},
      {"X16",
       "1e-9 added to the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return sum_of(powers) + 1e-9; })},
      {"X17",
       "1e-6 added to the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return sum_of(powers) + 1e-6; })},
      {"X18",
       "logits divided by their Euclidean length",
       {kSoftmaxObjective},
       {.softmax = divide_by_length}},
      {"X19",
       "logits divided by their sum, no exponential",
       {kSoftmaxObjective},
       {.softmax = divide_logits_by_sum}},
      {"X20", "sigmoid instead of softmax", {kSoftmaxObjective}, {.softmax = sigmoid_of_each}},
      {"X21",
       "divided by n instead of the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return static_cast<double>(powers.size()); })},
      {"X22", "one-hot of the largest logit", {kSoftmaxObjective}, {.softmax = one_hot_of_maximum}},
      {"X27", "e approximated by 2.718", {kSoftmaxObjective}, with_base(2.718)},
      {"X33",
       "divided by the row's largest exponential",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return maximum_of(powers); })},
      {"X35",
       "weights rounded to four decimals",
       {kSoftmaxObjective},
       changing_each_weight([](double weight) { return std::round(weight * 1e4) / 1e4; })},
      {"X36",
       "weights below 0.001 cleared, not renormalised",
       {kSoftmaxObjective},
       changing_each_weight([](double weight) { return weight < 1e-3 ? 0.0 : weight; })},
      {"X37", "logits clamped to ±50", {kSoftmaxObjective}, {.softmax = clamp_to_fifty}},
      {"C18",
       "overflow hidden: NaN and 0/0 become 0",
       {kSoftmaxObjective},
       {.softmax = launder_overflow}},
  };
}

}  // namespace attention_assignment::misconceptions
