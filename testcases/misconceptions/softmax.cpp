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

/// exp(z - shift) of each entry.
RowVector exponentials(RowVector logits, double shift) {
  for (double& entry : logits.entries) entry = std::exp(entry - shift);
  return logits;
}

/// A softmax that subtracts `shift(logits)`.
template <typename Shift>
AttentionModel shifting_by(Shift shift) {
  AttentionModel model;
  model.shift = shift;
  return model;
}

/// A softmax that divides the shifted exponentials by `divisor(exponentials)`.
template <typename Divisor>
AttentionModel dividing_by(Divisor divisor) {
  AttentionModel model;
  model.normalise = [divisor](const RowVector& powers) {
    return divided_by(powers, divisor(powers));
  };
  return model;
}

/// A softmax with another base.
AttentionModel with_base(double base) {
  AttentionModel model;
  model.power = [base](double exponent) { return std::pow(base, exponent); };
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

/// The same where the masked logits stay -inf.
RowVector log_softmax_of_all(const RowVector& logits) {
  RowVector weights = log_softmax(logits);
  for (std::size_t j = 0; j < weights.entries.size(); ++j) {
    if (logits.entries[j] == -kInfinity) weights.entries[j] = -kInfinity;
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

AttentionModel clamping_to(double limit) {
  AttentionModel model;
  model.softmax = [limit](RowVector logits) {
    for (double& logit : logits.entries) {
      if (logit != -kInfinity) logit = std::clamp(logit, -limit, limit);
    }
    const RowVector powers = exponentials(logits, 0);
    return divided_by(powers, sum_of(powers));
  };
  return model;
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

// The same ideas with other constants.

std::vector<AttentionModel> starting_at_each(const std::vector<double>& starts) {
  std::vector<AttentionModel> models;
  for (const double start : starts) {
    models.push_back(shifting_by(
        [start](const RowVector& logits) { return std::max(start, maximum_of(logits)); }));
  }
  return models;
}

std::vector<AttentionModel> adding_each(const std::vector<double>& amounts) {
  std::vector<AttentionModel> models;
  for (const double amount : amounts) {
    models.push_back(
        dividing_by([amount](const RowVector& powers) { return sum_of(powers) + amount; }));
  }
  return models;
}

std::vector<AttentionModel> with_each_base(const std::vector<double>& bases) {
  std::vector<AttentionModel> models;
  for (const double base : bases) models.push_back(with_base(base));
  return models;
}

std::vector<AttentionModel> rounding_to_each(const std::vector<double>& units) {
  std::vector<AttentionModel> models;
  for (const double unit : units) {
    models.push_back(
        changing_each_weight([unit](double weight) { return std::round(weight * unit) / unit; }));
  }
  return models;
}

std::vector<AttentionModel> clearing_below_each(const std::vector<double>& limits) {
  std::vector<AttentionModel> models;
  for (const double limit : limits) {
    models.push_back(
        changing_each_weight([limit](double weight) { return weight < limit ? 0.0 : weight; }));
  }
  return models;
}

}  // namespace

std::vector<Misconception> softmax_misconceptions() {
  return {
      {"C18",
       "overflow hidden: NaN and 0/0 become 0",
       {kSoftmaxObjective},
       {.softmax = launder_overflow},
       "Overflow was covered up by turning NaN (or 0/0) into 0. Subtract the row's maximum before "
       "the exponential, and nothing overflows."},
      {"X04",
       "no maximum subtracted",
       {kSoftmaxObjective},
       shifting_by([](const RowVector&) { return 0.0; }),
       "e to the power of a large logit overflows, and of very negative ones underflows to 0/0. "
       "Subtract the largest logit of the row first; the weights do not change by it."},
      {"X05",
       "the maximum starts at 0",
       {kSoftmaxObjective},
       shifting_by([](const RowVector& logits) { return std::max(0.0, maximum_of(logits)); }),
       "The search for the maximum starts at 0 (or at numeric_limits::min(), which is positive), "
       "so that a row of negative logits is shifted by 0 and can underflow to 0/0. Start at the "
       "first logit or at −∞.",
       starting_at_each({std::numeric_limits<double>::min(), 1e-5, 1, -1, -10, -100})},
      {"X06",
       "the maximum starts at a constant such as -10000",
       {kSoftmaxObjective},
       shifting_by([](const RowVector& logits) { return std::max(-1e4, maximum_of(logits)); }),
       "The search for the maximum starts at a constant. Rows that lie below it are shifted by the "
       "wrong number and underflow to 0/0. Start at the first logit or at −∞.",
       starting_at_each({-500, -999, -1000, -9999, -99'999, -1e5, -1e6, -1e7, -1e8, -1e9})},
      {"X07",
       "the minimum is subtracted",
       {kSoftmaxObjective},
       shifting_by(minimum_of_finite),
       "With the minimum subtracted the exponents are positive and can overflow. Subtract the "
       "maximum: then all exponents are at most 0."},
      {"X08",
       "the mean is subtracted",
       {kSoftmaxObjective},
       shifting_by(mean_of_finite),
       "With the mean subtracted some exponents are still positive and can overflow. Subtract the "
       "maximum: then all exponents are at most 0."},
      {"X10",
       "softmax applied twice",
       {kSoftmaxObjective},
       {.softmax = softmax_again},
       "The weights went through a softmax a second time, which makes them nearly even. One "
       "softmax turns logits into weights."},
      {"X12",
       "base 2 instead of e",
       {kSoftmaxObjective},
       with_base(2),
       "The softmax is e^z over the sum of e^z. With base 2 the weights are too even."},
      {"X13",
       "log-softmax used as weights",
       {kSoftmaxObjective},
       {.softmax = log_softmax},
       "These are the logarithms of the weights. The softmax itself is exp(z − max) divided by the "
       "row's sum.",
       {{.softmax = log_softmax_of_all}}},
      {"X14",
       "no normalisation",
       {kSoftmaxObjective},
       dividing_by([](const RowVector&) { return 1.0; }),
       "The exponentials are returned without being divided by their sum, so rows do not add up to "
       "one."},
      {"X15",
       "no normalisation and no maximum subtracted",
       {kSoftmaxObjective},
       {.shift = [](const RowVector&) { return 0.0; },
        .normalise = [](const RowVector& powers) { return powers; }},
       "The exponentials are returned as they are. Subtract the row's maximum first, and divide by "
       "the row's sum afterwards."},
      {"X16",
       "a tiny number such as 1e-9 added to the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return sum_of(powers) + 1e-9; }),
       "A small number is added to the sum, so rows add up to a little less than one. It is not "
       "needed: after the maximum is subtracted the sum is at least 1.",
       adding_each({1e-8, 1e-10, 1e-11, 1e-12, 1e-13})},
      {"X17",
       "a small number such as 1e-6 added to the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return sum_of(powers) + 1e-6; }),
       "A small number is added to the sum, so rows add up to a little less than one. It is not "
       "needed: after the maximum is subtracted the sum is at least 1.",
       adding_each({1e-7, 1e-5, 1e-4, 1e-3, 0.01})},
      {"X18",
       "logits divided by their Euclidean length",
       {kSoftmaxObjective},
       {.softmax = divide_by_length},
       "The logits were divided by their length. Weights are exponentials divided by their sum: "
       "positive, and adding up to one."},
      {"X19",
       "logits divided by their sum, no exponential",
       {kSoftmaxObjective},
       {.softmax = divide_logits_by_sum},
       "The logits were divided by their sum without taking exponentials, so weights can be "
       "negative or blow up. Use e^z before dividing."},
      {"X20",
       "sigmoid instead of softmax",
       {kSoftmaxObjective},
       {.softmax = sigmoid_of_each},
       "The sigmoid looks at one logit at a time. The softmax compares those of a row: each "
       "exponential is divided by the sum over the row."},
      {"X21",
       "divided by n instead of the sum",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return static_cast<double>(powers.size()); }),
       "The exponentials are divided by how many there are. Divide by their sum, so that the row "
       "adds up to one."},
      {"X22",
       "one-hot of the largest logit",
       {kSoftmaxObjective},
       {.softmax = one_hot_of_maximum},
       "Only the largest logit gets a weight. The softmax is the soft version: every visible token "
       "gets a share of e^z."},
      {"X27",
       "e approximated by 2.718",
       {kSoftmaxObjective},
       with_base(2.718),
       "The base is e rounded to a few digits. Use std::exp.",
       with_each_base({2.7, 2.71, 2.72, 2.7182, 2.7183, 2.71828, 2.718282, 2.7182818, 2.71828182,
                       2.718281828})},
      {"X33",
       "divided by the row's largest exponential",
       {kSoftmaxObjective},
       dividing_by([](const RowVector& powers) { return maximum_of(powers); }),
       "The exponentials are divided by the largest one, so that it becomes 1. Divide by their "
       "sum."},
      {"X35",
       "weights rounded, to four decimals for instance",
       {kSoftmaxObjective},
       changing_each_weight([](double weight) { return std::round(weight * 1e4) / 1e4; }),
       "The weights were rounded. Keep all digits; round only when printing.",
       rounding_to_each({1e2, 1e3, 1e5, 1e6})},
      {"X36",
       "small weights cleared, not renormalised",
       {kSoftmaxObjective},
       changing_each_weight([](double weight) { return weight < 1e-3 ? 0.0 : weight; }),
       "Small weights were set to zero and the row was not renormalised, so it adds up to less "
       "than one. Keep them.",
       clearing_below_each({1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10})},
      {"X37",
       "logits clamped, to ±50 for instance",
       {kSoftmaxObjective},
       clamping_to(50),
       "The logits are clamped before the exponential. That avoids overflow, but changes the "
       "weights of large logits; subtracting the row's maximum avoids it and changes nothing.",
       {clamping_to(5), clamping_to(10), clamping_to(20), clamping_to(30), clamping_to(60),
        clamping_to(80), clamping_to(88), clamping_to(100), clamping_to(500), clamping_to(700)}},
  };
}

}  // namespace attention_assignment::misconceptions
