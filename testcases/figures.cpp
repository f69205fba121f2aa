#include "testcases/figures.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "testcases/checks/judging.hpp"
#include "testcases/generators/attention_inputs.hpp"

namespace attention_assignment {
namespace {

using grader::Figure;
using grader::Implementation;
using grader::Matrix;
using grader::RowVector;
using grader::Series;

constexpr std::array<std::int64_t, 9> kFeatures = {1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr std::int64_t kTokens = 16;

/// The same numbers everywhere and always.
class StandardRandom final : public grader::Random {
 public:
  explicit StandardRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

Matrix normal_matrix(grader::Random& random, std::int64_t rows, std::int64_t columns) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.entries) entry = random.normal();
  return matrix;
}

/// Queries and keys of unit variance with `features` features, drawn once; nothing is masked.
AttentionInputs unit_variance_inputs(std::int64_t features, bool scaled) {
  static const std::map<std::int64_t, AttentionInputs> drawn = [] {
    std::map<std::int64_t, AttentionInputs> all;
    for (const std::int64_t d_k : kFeatures) {
      StandardRandom random(static_cast<std::uint64_t>(d_k));
      AttentionInputs& inputs = all[d_k];
      inputs.Q = normal_matrix(random, kTokens, d_k);
      inputs.K = normal_matrix(random, kTokens, d_k);
      inputs.V = normal_matrix(random, kTokens, 1);
    }
    return all;
  }();
  AttentionInputs inputs = drawn.at(features);
  inputs.options = {false, scaled};
  return inputs;
}

/// Mean square; the inputs have mean zero. NaN when the sizes are wrong.
double variance_of(const AttentionResult& result) {
  const Matrix& logits = result.logits;
  if (logits.rows != kTokens || logits.columns != kTokens) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double sum = 0;
  for (const double logit : logits.entries) sum += logit * logit;
  return sum / static_cast<double>(logits.entries.size());
}

/// Mean entropy of a row of weights as a share of the largest possible, ln n. NaN when the weights
/// are no distributions.
double entropy_of(const Trusted& trusted, const AttentionResult& result) {
  const Matrix& weights = result.weights;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (weights.rows != kTokens || weights.columns != kTokens) return unknown;
  double sum = 0;
  for (std::int64_t i = 0; i < kTokens; ++i) {
    RowVector row;
    for (std::int64_t j = 0; j < kTokens; ++j) {
      if (!(weights(i, j) >= 0 && weights(i, j) <= 1)) return unknown;
      row.entries.push_back(weights(i, j));
    }
    sum += trusted.entropy(row);
  }
  return sum / static_cast<double>(kTokens) / std::log(static_cast<double>(kTokens));
}

/// Draws `measure` of attention against d_k: with and without the scale, yours and right.
Figure against_features(const Trusted& trusted, Implementation& implementation,
                        const std::function<double(const AttentionResult&)>& measure) {
  Student student(implementation);
  Figure figure;
  figure.kind = Figure::Kind::lines;
  figure.x_title = "d_k";
  figure.x_is_logarithmic = true;
  for (const bool scaled : {true, false}) {
    const std::string name = scaled ? "scaled" : "unscaled";
    Series yours{name + " (yours)", {}, {}, false};
    Series right{name + " (right)", {}, {}, true};
    for (const std::int64_t features : kFeatures) {
      const AttentionInputs inputs = unit_variance_inputs(features, scaled);
      yours.x.push_back(static_cast<double>(features));
      yours.y.push_back(measure(student.attention(inputs)));
      right.x.push_back(static_cast<double>(features));
      right.y.push_back(measure(trusted.attention(inputs).result));
    }
    figure.series.push_back(std::move(yours));
    figure.series.push_back(std::move(right));
  }
  return figure;
}

Figure variance_figure(const Trusted& trusted, Implementation& implementation) {
  Figure figure = against_features(trusted, implementation, variance_of);
  figure.title = "Variance of the logits as d_k grows";
  figure.caption =
      "Queries and keys have variance 1. Without the scale the variance of their products is d_k; "
      "dividing by √d_k keeps it near 1.";
  figure.y_title = "variance";
  figure.y_is_logarithmic = true;
  return figure;
}

Figure entropy_figure(const Trusted& trusted, Implementation& implementation) {
  Figure figure = against_features(
      trusted, implementation,
      [&trusted](const AttentionResult& result) { return entropy_of(trusted, result); });
  figure.title = "Entropy of the weights as d_k grows";
  figure.caption =
      "The mean entropy of a row, as a share of the largest possible. Without the scale softmax "
      "saturates: nearly all weight goes to one token.";
  figure.y_title = "entropy / ln n";
  return figure;
}

Figure ledger_figure(const Trusted& trusted, Implementation& implementation) {
  constexpr std::int64_t n = 4;
  constexpr std::int64_t d_k = 3;
  constexpr std::int64_t d_v = 2;
  const ShapeLedger own = Student(implementation).shape_ledger(n, d_k, d_v);
  const ShapeLedger right = trusted.shape_ledger(n, d_k, d_v);
  Figure figure;
  figure.kind = Figure::Kind::table;
  figure.title = "Shape ledger";
  figure.caption = "What shape_ledger says for n = 4, d_k = 3, d_v = 2.";
  figure.columns = {"matrix", "yours", "right", ""};
  for (std::size_t index = 0; index < own.size(); ++index) {
    figure.rows.push_back(
        {std::string(kLedgerNames[index]), size_text(own[index].rows, own[index].cols),
         size_text(right[index].rows, right[index].cols), own[index] == right[index] ? "✓" : "✗"});
  }
  return figure;
}

Figure weights_figure(const Trusted& trusted, Implementation& implementation) {
  const AttentionInputs inputs = lesson_inputs({});
  Figure figure;
  figure.kind = Figure::Kind::heatmap;
  figure.title = "Weights of " + std::string(kLessonName);
  figure.caption =
      "Row i says how token i spreads its weight. What lies right of the diagonal is its future. "
      "Weights say where values come from; they do not explain why the output is what it is.";
  figure.panels = {{"yours", Student(implementation).attention(inputs).weights},
                   {"right", trusted.attention(inputs).result.weights}};
  return figure;
}

}  // namespace

std::vector<std::function<Figure(Implementation&)>> figures(const Trusted& trusted) {
  std::vector<std::function<Figure(Implementation&)>> all;
  for (Figure (*make)(const Trusted&, Implementation&) :
       {weights_figure, ledger_figure, variance_figure, entropy_figure}) {
    all.emplace_back(
        [make, &trusted](Implementation& implementation) { return make(trusted, implementation); });
  }
  return all;
}

}  // namespace attention_assignment
