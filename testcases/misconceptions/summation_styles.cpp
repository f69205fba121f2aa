// Correct styles that add up in different orders and with different care.
#include <algorithm>
#include <cmath>

#include "testcases/misconceptions/models.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

/// Σ_c term(c) for c < count, in some order or with some care.
using Summation = double (*)(const std::vector<double>& terms);

double backwards(const std::vector<double>& terms) {
  double sum = 0;
  // NOLINTNEXTLINE(modernize-loop-convert): there is no plain range that runs backwards
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) sum += *term;
  return sum;
}

double pairwise_range(const double* first, std::size_t count) {
  if (count == 0) return 0;
  if (count == 1) return *first;
  const std::size_t half = count / 2;
  return pairwise_range(first, half) + pairwise_range(first + half, count - half);
}

double pairwise(const std::vector<double>& terms) {
  return pairwise_range(terms.data(), terms.size());
}

double compensated(const std::vector<double>& terms) {
  double sum = 0;
  double lost = 0;
  for (double term : terms) {
    const double corrected = term - lost;
    const double next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
  return sum;
}

double four_lanes(const std::vector<double>& terms) {
  double lanes[4] = {0, 0, 0, 0};
  for (std::size_t c = 0; c < terms.size(); ++c) lanes[c % 4] += terms[c];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

double in_long_double(const std::vector<double>& terms) {
  long double sum = 0;
  for (double term : terms) sum += static_cast<long double>(term);
  return static_cast<double>(sum);
}

/// Every sum of the implementation taken by `add`.
AttentionModel summing(Summation add) {
  AttentionModel model;
  model.product = [add](const Problem& problem) {
    std::vector<double> terms(static_cast<std::size_t>(problem.d_k()));
    return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
      for (Index c = 0; c < problem.d_k(); ++c) {
        terms[static_cast<std::size_t>(c)] = problem.Q(i, c) * problem.K(j, c);
      }
      return add(terms);
    });
  };
  model.softmax = [add](const RowVector& logits) {
    const double maximum = *std::max_element(logits.entries.begin(), logits.entries.end());
    RowVector weights = logits;
    for (double& weight : weights.entries) weight = std::exp(weight - maximum);
    const double sum = add(weights.entries);
    for (double& weight : weights.entries) weight /= sum;
    return weights;
  };
  model.output = [add](const Problem& problem, const Matrix& weights) {
    std::vector<double> terms(static_cast<std::size_t>(problem.n()));
    return with_entries(Matrix(problem.n(), problem.d_v()), [&](Index i, Index c, double) {
      for (Index j = 0; j < problem.n(); ++j) {
        terms[static_cast<std::size_t>(j)] = weights(i, j) * problem.V(j, c);
      }
      return add(terms);
    });
  };
  model.entropy = [add](const RowVector& weights) {
    std::vector<double> terms;
    for (double weight : weights.entries) {
      if (weight > 0) terms.push_back(-weight * std::log(weight));
    }
    return add(terms);
  };
  return model;
}

}  // namespace

std::vector<CorrectStyle> summation_styles() {
  return {
      {"loops", "plain loops", {}},
      {"reversed_sums", "every sum taken backwards", summing(backwards)},
      {"pairwise_sums", "every sum taken pairwise", summing(pairwise)},
      {"compensated_sums", "Kahan's summation", summing(compensated)},
      {"four_lanes", "sums in four lanes, as vector units do", summing(four_lanes)},
      {"long_double_sums", "sums in long double", summing(in_long_double)},
  };
}

}  // namespace attention_assignment::misconceptions
