// float somewhere in a double computation.
#include <cmath>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

double through_float(double number) { return static_cast<double>(static_cast<float>(number)); }

Matrix divided_by_float_root(const Problem& problem, Matrix products) {
  if (!problem.options.scaled) return products;
  const float root = std::sqrt(static_cast<float>(problem.d_k()));
  for (double& product : products.entries) product /= static_cast<double>(root);
  return products;
}

RowVector float_softmax(const RowVector& logits) {
  auto maximum = static_cast<float>(logits(0));
  for (double logit : logits.entries) maximum = std::fmax(maximum, static_cast<float>(logit));
  RowVector weights = logits;
  float sum = 0;
  for (double& weight : weights.entries) {
    const float power = std::exp(static_cast<float>(weight) - maximum);
    sum += power;
    weight = static_cast<double>(power);
  }
  for (double& weight : weights.entries) {
    weight = static_cast<double>(static_cast<float>(weight) / sum);
  }
  return weights;
}

Matrix float_output(const Problem& problem, const Matrix& weights) {
  return with_entries(weighted_sum(problem, weights),
                      [](Index, Index, double entry) { return through_float(entry); });
}

Matrix float_products(const Problem& problem) {
  return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
    float sum = 0;
    for (Index c = 0; c < problem.d_k(); ++c) {
      sum += static_cast<float>(problem.Q(i, c)) * static_cast<float>(problem.K(j, c));
    }
    return static_cast<double>(sum);
  });
}

RowVector float_sum(const RowVector& logits) {
  RowVector weights = stable_softmax(logits);
  double largest = 0;
  for (double weight : weights.entries) largest = std::fmax(largest, weight);
  float sum = 0;
  for (double weight : weights.entries) sum += static_cast<float>(weight / largest);
  for (double& weight : weights.entries) weight = weight / largest / static_cast<double>(sum);
  return weights;
}

double float_entropy(const RowVector& weights) {
  float sum = 0;
  for (double entry : weights.entries) {
    const auto weight = static_cast<float>(entry);
    if (weight > 0) sum -= weight * std::log(weight);
  }
  return static_cast<double>(sum);
}

}  // namespace

std::vector<Misconception> precision_misconceptions() {
  return {
      {"S18",
       "root of d_k in float",
       {kScaling},
       {.scale = divided_by_float_root},
       "The root of d_k was rounded to single precision. Everything is a double here: std::sqrt of "
       "a double, no f behind constants."},
      {"X31",
       "softmax in float",
       {kSoftmaxObjective},
       {.softmax = float_softmax},
       "The softmax was computed in float. Everything is a double here; float has 7 digits, double "
       "16."},
      {"X41",
       "sum of the softmax in float",
       {kSoftmaxObjective},
       {.softmax = float_sum},
       "The sum of the softmax was computed in float. Everything is a double here; float has 7 "
       "digits, double 16."},
      {"P28",
       "output in float",
       {kValues},
       {.output = float_output},
       "The output went through float. Everything is a double here; float has 7 digits, double "
       "16."},
      {"P29",
       "dot products in float",
       {kScaling},
       {.product = float_products},
       "The dot products were computed in float. Everything is a double here; float has 7 digits, "
       "double 16."},
      {"E09",
       "entropy in float",
       {kScaling},
       {.entropy = float_entropy},
       "The entropy was computed in float. Everything is a double here; float has 7 digits, double "
       "16."},
  };
}

}  // namespace attention_assignment::misconceptions
