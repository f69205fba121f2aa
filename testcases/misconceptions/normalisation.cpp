// Mistakes in how a softmax is spread over the matrix or over its loops: wrong axis, sums that are
// not reset, running sums. Where the slip lies between rows, softmax() of one row is right.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The powers of `model`, of z_ij - shifts[i].
Matrix powers_with_shifts(const AttentionModel& model, const Matrix& logits,
                          const std::vector<double>& shifts) {
  return with_entries(logits, [&](Index i, Index, double logit) {
    return model.power(logit - shifts[static_cast<std::size_t>(i)]);
  });
}

/// The powers of `model`, with the shift that it gives to each row: a slip between the rows comes
/// beside any mistake within them.
Matrix powers_of(const AttentionModel& model, const Matrix& logits) {
  std::vector<double> shifts;
  for (Index i = 0; i < logits.rows; ++i) shifts.push_back(model.shift(row_of(logits, i)));
  return powers_with_shifts(model, logits, shifts);
}

std::vector<double> row_maxima(const Matrix& logits) {
  std::vector<double> maxima(static_cast<std::size_t>(logits.rows), -kInfinity);
  for (Index i = 0; i < logits.rows; ++i) {
    double& maximum = maxima[static_cast<std::size_t>(i)];
    for (Index j = 0; j < logits.columns; ++j) maximum = std::max(maximum, logits(i, j));
  }
  return maxima;
}

std::vector<double> row_sums(const Matrix& matrix) {
  std::vector<double> sums(static_cast<std::size_t>(matrix.rows), 0.0);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Index j = 0; j < matrix.columns; ++j) sums[static_cast<std::size_t>(i)] += matrix(i, j);
  }
  return sums;
}

Matrix rows_divided_by(Matrix matrix, const std::vector<double>& divisors) {
  return with_entries(std::move(matrix), [&](Index i, Index, double entry) {
    return entry / divisors[static_cast<std::size_t>(i)];
  });
}

Matrix softmax_with_shifts(const AttentionModel& model, const Matrix& logits,
                           const std::vector<double>& shifts) {
  Matrix weights = powers_with_shifts(model, logits, shifts);
  for (Index i = 0; i < weights.rows; ++i) {
    set_row(weights, i, model.normalise(row_of(weights, i)));
  }
  return weights;
}

Matrix softmax_of_columns(const AttentionModel& model, const Problem& problem,
                          const Matrix& logits) {
  return transposed(softmax_of_rows(model, problem, transposed(logits)));
}

double maximum_of_all(const Matrix& logits) {
  return *std::max_element(logits.entries.begin(), logits.entries.end());
}

Matrix divided_by_sum_of_all(Matrix powers) {
  double sum = 0;
  for (double power : powers.entries) sum += power;
  for (double& power : powers.entries) power /= sum;
  return powers;
}

std::vector<double> maximum_of_all_for_each_row(const Matrix& logits) {
  return std::vector<double>(static_cast<std::size_t>(logits.rows), maximum_of_all(logits));
}

Matrix softmax_of_whole_matrix(const AttentionModel& model, const Problem& /*problem*/,
                               const Matrix& logits) {
  return divided_by_sum_of_all(
      powers_with_shifts(model, logits, maximum_of_all_for_each_row(logits)));
}

/// Each row is shifted by a maximum of its own before the sum is taken over all.
Matrix shifted_rows_divided_by_sum_of_all(const AttentionModel& model, const Problem& /*problem*/,
                                          const Matrix& logits) {
  return divided_by_sum_of_all(powers_of(model, logits));
}

Matrix shift_by_maximum_of_matrix(const AttentionModel& model, const Problem& /*problem*/,
                                  const Matrix& logits) {
  return softmax_with_shifts(model, logits, maximum_of_all_for_each_row(logits));
}

Matrix shift_by_maximum_of_column(const AttentionModel& model, const Problem& problem,
                                  const Matrix& logits) {
  const std::vector<double> maxima = row_maxima(transposed(logits));
  Matrix powers = with_entries(logits, [&](Index i, Index j, double logit) {
    return problem.visible(i, j) ? model.power(logit - maxima[static_cast<std::size_t>(j)]) : 0.0;
  });
  const std::vector<double> sums = row_sums(powers);
  return rows_divided_by(std::move(powers), sums);
}

/// A second softmax over all keys: the zeros of the first one become e^0.
Matrix softmax_twice_without_second_mask(const AttentionModel& model, const Problem& problem,
                                         const Matrix& logits) {
  return softmax_of_rows(model, problem, softmax_of_rows(model, problem, logits));
}

RowVector divide_by_partial_sum(RowVector powers) {
  double sum = 0;
  for (double& power : powers.entries) {
    sum += power;
    power /= sum;
  }
  return powers;
}

Matrix never_reset_sum(const AttentionModel& model, const Problem& /*problem*/,
                       const Matrix& logits) {
  Matrix powers = powers_of(model, logits);
  std::vector<double> sums = row_sums(powers);
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return rows_divided_by(std::move(powers), sums);
}

Matrix never_reset_maximum(const AttentionModel& model, const Problem& /*problem*/,
                           const Matrix& logits) {
  std::vector<double> maxima = row_maxima(logits);
  for (std::size_t i = 1; i < maxima.size(); ++i) maxima[i] = std::max(maxima[i], maxima[i - 1]);
  return softmax_with_shifts(model, logits, maxima);
}

Matrix row_exponentials_column_sums(const AttentionModel& model, const Problem& /*problem*/,
                                    const Matrix& logits) {
  const Matrix powers = powers_of(model, logits);
  const std::vector<double> sums = row_sums(transposed(powers));
  return with_entries(powers, [&](Index, Index j, double power) {
    const double sum = sums[static_cast<std::size_t>(j)];
    return power == 0 ? 0 : power / sum;
  });
}

Matrix softmax_of_queries_and_keys(const AttentionModel& model, const Problem& problem,
                                   const Matrix& /*logits*/) {
  const Matrix product = multiply(softmax_of_rows(model, problem, problem.Q),
                                  transposed(softmax_of_rows(model, problem, problem.K)));
  return with_entries(product, [&](Index i, Index j, double weight) {
    return problem.visible(i, j) ? weight : 0.0;
  });
}

/// The logits themselves, with 0 for the masked ones: the softmax was computed into a copy.
Matrix discard_the_softmax(const AttentionModel& /*model*/, const Problem& problem,
                           const Matrix& logits) {
  return with_entries(
      logits, [&](Index i, Index j, double logit) { return problem.visible(i, j) ? logit : 0.0; });
}

/// The same where the masked logits stay -inf.
Matrix keep_the_logits(const AttentionModel& /*model*/, const Problem& /*problem*/,
                       const Matrix& logits) {
  return logits;
}

/// Softmax of the outputs' features instead of the weights.
Matrix softmax_of_output(const Problem& problem, const Matrix& weights) {
  const Matrix output = weighted_sum(problem, weights);
  return softmax_of_rows(AttentionModel{}, problem, output);
}

double sum_without_first(const RowVector& powers) {
  double sum = 0;
  for (std::size_t j = 1; j < powers.entries.size(); ++j) sum += powers.entries[j];
  return sum;
}

RowVector divide_by_sum_without_first(const RowVector& powers) {
  return divided_by(powers, sum_without_first(powers));
}

/// The same, but a row with one visible key does not become 1/0.
RowVector divide_by_sum_without_first_guarded(const RowVector& powers) {
  const double sum = sum_without_first(powers);
  return divided_by(powers, sum == 0 ? powers.entries.at(0) : sum);
}

/// Online softmax that forgets to rescale the numerators (or the denominator) on a new maximum.
RowVector online_softmax(const RowVector& logits, bool rescale_numerators,
                         bool rescale_denominator) {
  RowVector weights{std::vector<double>(logits.entries.size(), 0.0)};
  double maximum = -kInfinity;
  double denominator = 0;
  for (std::size_t j = 0; j < logits.entries.size(); ++j) {
    const double logit = logits.entries[j];
    if (logit == -kInfinity) continue;
    const double higher = std::max(maximum, logit);
    const double factor = maximum == -kInfinity ? 0 : std::exp(maximum - higher);
    const double power = std::exp(logit - higher);
    denominator = (rescale_denominator ? denominator * factor : denominator) + power;
    for (std::size_t k = 0; k < j && rescale_numerators; ++k) weights.entries[k] *= factor;
    weights.entries[j] = power;
    maximum = higher;
  }
  for (double& weight : weights.entries) weight /= denominator;
  return weights;
}

RowVector divide_by_integer_sum(const RowVector& powers) {
  double sum = 0;
  for (double power : powers.entries) sum = std::trunc(sum + power);
  return divided_by(powers, sum);
}

RowVector divide_by_live_sum(RowVector powers) {
  for (double& power : powers.entries) {
    double sum = 0;
    for (double entry : powers.entries) sum += entry;
    power /= sum;
  }
  return powers;
}

/// The same slip where the output alone is accumulated online, while the weights are right.
Matrix accumulated_without_rescaling(const Problem& problem, const Matrix& weights) {
  const Matrix logits =
      mask_future(problem, divide_by_root_of_features(problem, dot_products(problem)));
  Matrix unscaled = weights;
  for (Index i = 0; i < weights.rows; ++i) {
    const RowVector row = row_of(logits, i);
    const double largest = largest_logit(row);
    double sum = 0;
    for (double logit : row.entries) sum += std::exp(logit - largest);
    double maximum = -kInfinity;
    for (Index j = 0; j < weights.columns; ++j) {
      maximum = std::max(maximum, row(j));
      unscaled(i, j) = std::exp(row(j) - maximum) / sum;
    }
  }
  return weighted_sum(problem, unscaled);
}

}  // namespace

std::vector<Misconception> normalisation_misconceptions() {
  return {
      {"X01",
       "softmax over columns",
       {kSoftmaxObjective},
       {.weights = softmax_of_columns},
       "The softmax runs down the columns, over the queries. Each query spreads its own weight of "
       "one over the keys: normalise row by row."},
      {"X02",
       "softmax over the whole matrix",
       {kSoftmaxObjective},
       {.weights = softmax_of_whole_matrix},
       "All exponentials were divided by the sum over the whole matrix. Each row is a distribution "
       "of its own: divide by the row's sum.",
       {{.weights = shifted_rows_divided_by_sum_of_all}}},
      {"X03",
       "maximum of the whole matrix subtracted",
       {kSoftmaxObjective},
       {.weights = shift_by_maximum_of_matrix},
       "One maximum serves the whole matrix. Rows that lie far below it underflow to 0/0. Subtract "
       "each row's own maximum."},
      {"X09",
       "maximum of each column subtracted",
       {kSoftmaxObjective},
       {.weights = shift_by_maximum_of_column},
       "The maximum of a column was subtracted. Within one row the shift must be the same for all "
       "entries, or the weights change: take the row's maximum."},
      {"X11",
       "softmax applied twice, the second time without a mask",
       {kSoftmaxObjective},
       {.weights = softmax_twice_without_second_mask},
       "The softmax was applied twice, and the second time the zeros of the future count as e⁰ = "
       "1. One softmax turns logits into weights."},
      {"X23",
       "softmax of the output instead of the weights",
       {kSoftmaxObjective, kValues},
       {.weights = discard_the_softmax, .output = softmax_of_output},
       "The softmax belongs on the logits, before the values are mixed. Here the raw logits weigh "
       "the values and the softmax runs over the output's features."},
      {"X24",
       "divided by the running partial sum inside the loop",
       {kSoftmaxObjective},
       {.normalise = divide_by_partial_sum},
       "Each exponential is divided by the sum so far. First add up the whole row, then divide "
       "every entry by that sum."},
      {"X25",
       "the sum is not reset between rows",
       {kSoftmaxObjective},
       {.weights = never_reset_sum},
       "The sum goes on from row to row. Set it to zero at the start of each row."},
      {"X26",
       "the maximum is not reset between rows",
       {kSoftmaxObjective},
       {.weights = never_reset_maximum},
       "The maximum goes on from row to row, so that a row far below an earlier one underflows to "
       "0/0. Start anew in each row."},
      {"X28",
       "the sum skips the first exponential",
       {kSoftmaxObjective},
       {.normalise = divide_by_sum_without_first_guarded},
       "The sum starts at the second exponential. It has to run over all of them, from index 0.",
       {{.normalise = divide_by_sum_without_first}}},
      {"X29",
       "online softmax: numerators not rescaled on a new maximum",
       {kSoftmaxObjective},
       {.softmax = [](const RowVector& logits) { return online_softmax(logits, false, true); }},
       "In an online softmax a new maximum changes the scale of everything before: the numerators "
       "so far have to be multiplied by e^(old − new), as the denominator is.",
       {{.output = accumulated_without_rescaling}}},
      {"X30",
       "online softmax: denominator not rescaled on a new maximum",
       {kSoftmaxObjective},
       {.softmax = [](const RowVector& logits) { return online_softmax(logits, true, false); }},
       "In an online softmax a new maximum changes the scale of everything before: the sum so far "
       "has to be multiplied by e^(old − new), as the numerators are."},
      {"X32",
       "softmax of Q and of K before their product",
       {kSoftmaxObjective},
       {.weights = softmax_of_queries_and_keys},
       "The softmax was applied to Q and K before their product. It belongs on the logits, "
       "QKᵀ/√d_k with the mask."},
      {"X34",
       "exponentials by row, sums by column",
       {kSoftmaxObjective},
       {.weights = row_exponentials_column_sums},
       "The exponentials are divided by sums over columns. Row i is divided by the sum of row i."},
      {"X38",
       "integer accumulator for the sum",
       {kSoftmaxObjective},
       {.normalise = divide_by_integer_sum},
       "The sum of exponentials starts from an integer (0 instead of 0.0), so that its fraction is "
       "cut off. Accumulate in a double."},
      {"X40",
       "divided in place by a sum that changes meanwhile",
       {kSoftmaxObjective},
       {.normalise = divide_by_live_sum},
       "The row is divided entry by entry by a sum that is computed anew from entries that have "
       "changed already. Compute the sum once, before dividing."},
      {"P39",
       "the softmax is computed into a copy and lost",
       {kSoftmaxObjective},
       {.weights = discard_the_softmax},
       "The softmax was computed into a copy and never written back, so the logits themselves are "
       "used as weights. Assign its result.",
       {{.weights = keep_the_logits}}},
  };
}

}  // namespace attention_assignment::misconceptions
