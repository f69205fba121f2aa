// The tolerance, measured: how much of it correct programs use up, and how far single precision
// exceeds it. ATTENTION_GRADER_TOLERANCE_CASES sets the number of cases (1,000 unless told).
#include "testcases/checks/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "reference/trusted.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/checks/same_answers.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/variants.hpp"
#include "testcases/misconceptions/models.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;

class TwisterRandom final : public grader::Random {
 public:
  explicit TwisterRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

/// Error over tolerance; infinite for NaN.
double ratio(double own, double expected, double tolerance) {
  if (own == expected) return 0;
  const double result = std::abs(own - expected) / tolerance;
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

enum Comparison : std::size_t { logits, weights, own_weights, row_sums, outputs, own_outputs };
constexpr std::array<const char*, 6> kNames = {"logits",   "weights", "weights on own logits",
                                               "row sums", "outputs", "outputs on own weights"};

struct Worst {
  std::array<double, 6> ratios{};
  std::int64_t exceeding = 0;  ///< cases with a ratio above one
};

/// The right answer and the bounds for one case, shared by all styles.
struct Question {
  AttentionInputs inputs;
  ExpectedAttention expected;
  std::vector<double> relative;  ///< per row
};

void measure_row(const Question& question, const AttentionResult& own, const Matrix& own_softmax,
                 const Matrix& own_mix, std::int64_t i, std::array<double, 6>& worst) {
  const AttentionInputs& inputs = question.inputs;
  const AttentionResult& right = question.expected.result;
  const double relative = question.relative[static_cast<std::size_t>(i)];
  const auto note = [&](Comparison comparison, double found) {
    worst[comparison] = std::max(worst[comparison], found);
  };
  double sum = 0;
  for (std::int64_t j = 0; j < inputs.n(); ++j) {
    if (inputs.visible(i, j)) {
      note(logits, ratio(own.logits(i, j), right.logits(i, j),
                         logit_tolerance(inputs.d_k(), question.expected.magnitudes(i, j))));
    }
    note(weights, ratio(own.weights(i, j), right.weights(i, j),
                        weight_tolerance(relative, right.weights(i, j))));
    note(own_weights, ratio(own.weights(i, j), own_softmax(i, j),
                            weight_tolerance(2 * relative, own_softmax(i, j))));
    sum += own.weights(i, j);
  }
  note(row_sums, ratio(sum, 1, row_sum_tolerance(relative, inputs.n())));
  for (std::int64_t c = 0; c < inputs.d_v(); ++c) {
    const ValueColumn visible =
        value_column(inputs.V, c, [&](std::int64_t j) { return inputs.visible(i, j); });
    const ValueColumn weighted =
        value_column(inputs.V, c, [&](std::int64_t j) { return own.weights(i, j) != 0; });
    note(outputs, ratio(own.output(i, c), right.output(i, c),
                        output_tolerance(relative, 1, visible.largest, visible.sum, inputs.n())));
    note(own_outputs, ratio(own.output(i, c), own_mix(i, c),
                            output_tolerance(2 * relative, sum_of_sizes(own.weights, i),
                                             weighted.largest, weighted.sum, inputs.n())));
  }
}

void measure(const Question& question, grader::Implementation& implementation, Worst& worst) {
  const reference::ReferenceTrusted trusted;
  const AttentionResult own = Student(implementation).attention(question.inputs);
  const Matrix own_softmax =
      trusted.weights_on_logits(question.inputs, own.logits, Keys::as_returned);
  const Matrix own_mix = trusted.output_on_weights(question.inputs, own.weights);
  std::array<double, 6> here{};
  for (std::int64_t i = 0; i < question.inputs.n(); ++i) {
    if (question.relative[static_cast<std::size_t>(i)] > kLargestRelativeError) continue;
    measure_row(question, own, own_softmax, own_mix, i, here);
  }
  for (std::size_t index = 0; index < here.size(); ++index) {
    worst.ratios[index] = std::max(worst.ratios[index], here[index]);
  }
  if (*std::ranges::max_element(here) > 1) ++worst.exceeding;
}

/// Three of four cases as the checks draw them, one far outside of their domain.
Question draw_question(std::int64_t index) {
  TwisterRandom random(static_cast<std::uint64_t>(index));
  const grader::Schedule schedule{index, 1 << 20};
  Question question;
  question.inputs = attention_inputs_of(index % 4 == 3 ? draw_extreme_inputs(random, schedule)
                                                       : draw_attention_inputs(random, schedule));
  // Extreme or not, all four combinations of the options in turn.
  question.inputs.options = {(index / 4) % 2 == 0, (index / 8) % 2 == 0};
  question.expected = reference::ReferenceTrusted{}.attention(question.inputs);
  for (std::int64_t i = 0; i < question.inputs.n(); ++i) {
    question.relative.push_back(
        relative_error(question.inputs.n(), question.inputs.d_k(),
                       largest_visible(question.inputs, question.expected.magnitudes, i)));
  }
  return question;
}

std::map<std::string, Worst> measure_models(const std::function<bool(const grader::Model&)>& chosen,
                                            std::int64_t cases) {
  std::vector<std::pair<std::string, std::unique_ptr<grader::Implementation>>> implementations;
  for (const grader::Model& model : models()) {
    if (chosen(model)) implementations.emplace_back(model.id, model.make());
  }
  std::map<std::string, Worst> worst;
  for (std::int64_t index = 0; index < cases; ++index) {
    const Question question = draw_question(index);
    for (auto& [id, implementation] : implementations)
      measure(question, *implementation, worst[id]);
  }
  return worst;
}

void print(const std::map<std::string, Worst>& measured, std::int64_t cases) {
  std::cout << cases << " cases, error over tolerance at worst\n";
  for (const auto& [id, worst] : measured) {
    std::cout << "  " << std::left << std::setw(24) << id << std::setprecision(3);
    for (std::size_t index = 0; index < kNames.size(); ++index) {
      std::cout << "  " << kNames[index] << " " << worst.ratios[index];
    }
    std::cout << "  (" << worst.exceeding << " cases above)\n";
  }
}

std::int64_t number_of_cases() {
  const char* told = std::getenv("ATTENTION_GRADER_TOLERANCE_CASES");
  return told == nullptr ? 1000 : std::atoll(told);
}

TEST(ToleranceTest, CorrectStylesStayWellWithinIt) {
  const auto measured = measure_models(
      [](const grader::Model& model) { return model.role == grader::Model::Role::correct_style; },
      number_of_cases());
  print(measured, number_of_cases());
  EXPECT_GE(measured.size(), 12U);
  for (const auto& [id, worst] : measured) {
    for (std::size_t index = 0; index < kNames.size(); ++index) {
      EXPECT_LE(worst.ratios[index], index == logits ? 0.8 : 0.4) << id << " " << kNames[index];
    }
  }
}

TEST(ToleranceTest, SinglePrecisionExceedsItByFar) {
  const auto measured = measure_models(
      [](const grader::Model& model) {
        return model.id == "P28" || model.id == "P29" || model.id == "X31";
      },
      std::min<std::int64_t>(number_of_cases(), 1000));
  print(measured, std::min<std::int64_t>(number_of_cases(), 1000));
  ASSERT_EQ(measured.size(), 3U);
  for (const auto& [id, worst] : measured) {
    EXPECT_GE(*std::ranges::max_element(worst.ratios), 1e4) << id;
    EXPECT_GE(worst.exceeding, 250) << id;
  }
}

// ---- The formula itself ---------------------------------------------------------

TEST(ToleranceTest, IsTheFormulaOfTheErrorAnalysis) {
  constexpr double u = 0x1p-53;
  EXPECT_DOUBLE_EQ(relative_error(6, 3, 2.0), std::expm1(2 * u * (15 * 2.0 + 18 + 16)));
  EXPECT_DOUBLE_EQ(softmax_relative_error(4, 10.0), std::expm1(2 * u * (12 * 10.0 + 12 + 16)));
  EXPECT_DOUBLE_EQ(logit_tolerance(3, 2.0), 9 * u * 2.0);
  EXPECT_EQ(logit_tolerance(3, 0.0), 3 * 0x1p-1074);
  EXPECT_EQ(weight_tolerance(1e-3, 0.0), 0x1p-1022);
}

TEST(ToleranceTest, NothingIsAcceptedByAccidentWhereItIsInfinite) {
  // An expected zero keeps its tiny tolerance even where the relative error has overflowed.
  const double infinite = relative_error(4, 4, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(infinite <= kLargestRelativeError);
  EXPECT_EQ(weight_tolerance(infinite, 0.0), 0x1p-1022);
  EXPECT_FALSE(relative_error(4, 4, std::nan("")) <= kLargestRelativeError);
}

TEST(ToleranceTest, EveryBoundCoversUnderflow) {
  EXPECT_GE(row_sum_tolerance(0, 7), 7 * 0x1p-1022);
  EXPECT_GE(output_tolerance(0, 1, 0, 0, 5), 7 * 0x1p-1074);
  EXPECT_GE(output_tolerance(0, 1, 1, 10, 5), 10 * 0x1p-1022);
}

}  // namespace
}  // namespace attention_assignment
