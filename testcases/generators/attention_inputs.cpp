#include "testcases/generators/attention_inputs.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "testcases/generators/domain.hpp"
#include "testcases/generators/shapes.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Matrix;
using grader::Random;

template <class DrawEntry>
void fill(Matrix& matrix, DrawEntry draw_entry) {
  for (double& entry : matrix.entries) entry = draw_entry();
}

void fill_normal(Random& random, Matrix& matrix, double deviation = 1.0) {
  fill(matrix, [&] { return deviation * random.normal(); });
}

double small_integer(Random& random, std::int64_t limit) {
  return static_cast<double>(random.integer(-limit, limit));
}

/// ±m·2^e with m in [1, 2) and e uniform: every magnitude equally often.
double log_uniform(Random& random, std::int64_t low_exponent, std::int64_t high_exponent) {
  const auto exponent = static_cast<int>(random.integer(low_exponent, high_exponent));
  const double magnitude = std::ldexp(1.0 + random.unit(), exponent);
  return random.chance(1, 2) ? magnitude : -magnitude;
}

void copy_row_everywhere(Matrix& matrix, std::int64_t source) {
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      matrix(row, column) = matrix(source, column);
    }
  }
}

// ---- The classes. Each fills Q, K, V of the given sizes; V may be resized. ------

void draw_normal(Random& random, AttentionInputs& inputs) {
  fill_normal(random, inputs.Q);
  fill_normal(random, inputs.K);
  fill_normal(random, inputs.V);
}

/// Whole numbers: products are exact, ties and zero logits occur, integer arithmetic hides.
void draw_integers(Random& random, AttentionInputs& inputs) {
  const std::int64_t limit = inputs.d_k() > 16 ? 1 : 3;
  fill(inputs.Q, [&] { return small_integer(random, limit); });
  fill(inputs.K, [&] { return small_integer(random, limit); });
  fill(inputs.V, [&] { return small_integer(random, 9); });
}

/// Fractions below one only: an integer accumulator makes all of them zero.
void draw_fractions(Random& random, AttentionInputs& inputs) {
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    fill(*matrix, [&] { return random.uniform(-0.99, 0.99); });
  }
}

/// Magnitudes far below one; logits next to zero and weights next to uniform.
void draw_tiny(Random& random, AttentionInputs& inputs) {
  fill(inputs.Q, [&] { return log_uniform(random, -200, -1); });
  fill(inputs.K, [&] { return log_uniform(random, -200, -1); });
  fill(inputs.V, [&] { return log_uniform(random, -900, -1); });
}

/// Logits of some dozens to some hundreds: nearly one-hot rows.
void draw_large_logits(Random& random, AttentionInputs& inputs) {
  fill_normal(random, inputs.Q, 16);
  fill_normal(random, inputs.K, 8);
  fill_normal(random, inputs.V);
}

/// All keys the same, or all queries the same.
void draw_equal_rows(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  copy_row_everywhere(random.chance(1, 2) ? inputs.K : inputs.Q, 0);
}

/// All tokens carry the same values: every output row is that row.
void draw_equal_values(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  copy_row_everywhere(inputs.V, 0);
}

/// A vector common to all keys: large logits that differ by little within a row.
void draw_offset(Random& random, AttentionInputs& inputs) {
  fill_normal(random, inputs.Q);
  fill_normal(random, inputs.K);
  fill_normal(random, inputs.V);
  const double offset = random.uniform(10, 100);
  for (std::int64_t c = 0; c < inputs.d_k(); ++c) {
    const double common = random.chance(1, 2) ? offset : -offset;
    for (std::int64_t j = 0; j < inputs.n(); ++j) inputs.K(j, c) += common;
    for (std::int64_t i = 0; i < inputs.n(); ++i) {
      inputs.Q(i, c) = std::copysign(inputs.Q(i, c), i % 2 == 0 ? common : -common);
    }
  }
}

/// A few entries far larger than the rest.
void draw_spikes(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    const auto last = static_cast<std::int64_t>(matrix->entries.size()) - 1;
    matrix->entries[static_cast<std::size_t>(random.integer(0, last))] *= 40;
  }
}

/// Values over two hundred decades; logits as usual.
void draw_mixed_values(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  const std::int64_t reach = random.chance(1, 2) ? 330 : 40;
  fill(inputs.V, [&] { return log_uniform(random, -reach, reach); });
}

/// Zeros of both signs among small integers: logits that are exactly zero.
void draw_sparse(Random& random, AttentionInputs& inputs) {
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    fill(*matrix, [&] {
      if (random.chance(1, 2)) return small_integer(random, 2);
      return random.chance(1, 2) ? 0.0 : -0.0;
    });
  }
}

/// Large terms that cancel inside the dot products.
void draw_cancelling(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  if (inputs.d_k() < 2) return;
  const double large = std::ldexp(1.0, static_cast<int>(random.integer(2, 4)));
  for (std::int64_t j = 0; j < inputs.n(); ++j) {
    inputs.Q(j, 0) = inputs.Q(j, 1) = large;
    const double key = large * random.normal();
    inputs.K(j, 0) = key;
    inputs.K(j, 1) = -key;
  }
}

/// V is the identity: the output is the weights themselves.
void draw_identity_values(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  inputs.V = Matrix(inputs.n(), inputs.n());
  for (std::int64_t j = 0; j < inputs.n(); ++j) inputs.V(j, j) = 1;
}

/// V is one column of ones: the output is the row sums.
void draw_ones(Random& random, AttentionInputs& inputs) {
  draw_normal(random, inputs);
  inputs.V = Matrix(inputs.n(), 1, 1.0);
}

struct ValueClass {
  std::string_view name;
  void (*draw)(Random&, AttentionInputs&);
};

constexpr std::array<ValueClass, 17> kClasses = {{
    {"normal", draw_normal},
    {"integers", draw_integers},
    {"fractions", draw_fractions},
    {"tiny", draw_tiny},
    {"large logits", draw_large_logits},
    {"normal", draw_normal},
    {"equal rows", draw_equal_rows},
    {"equal values", draw_equal_values},
    {"offset", draw_offset},
    {"spikes", draw_spikes},
    {"normal", draw_normal},
    {"mixed values", draw_mixed_values},
    {"sparse", draw_sparse},
    {"normal", draw_normal},
    {"cancelling", draw_cancelling},
    {"identity values", draw_identity_values},
    {"ones", draw_ones},
}};

/// Six of eight causal, five of eight scaled, all four combinations.
constexpr std::array<Options, 8> kOptions = {{{true, true},
                                              {true, false},
                                              {true, true},
                                              {false, true},
                                              {true, true},
                                              {true, false},
                                              {true, true},
                                              {false, false}}};

}  // namespace

Case draw_attention_inputs(Random& random, const grader::Schedule& schedule) {
  const CaseShape shape = draw_shape(random, schedule);
  const auto index = static_cast<std::size_t>(schedule.index);
  AttentionInputs inputs{Matrix(shape.n, shape.d_k), Matrix(shape.n, shape.d_k),
                         Matrix(shape.n, shape.d_v),
                         kOptions[(index + index / kOptions.size() / 2) % kOptions.size()]};
  const ValueClass& drawn = kClasses[index % kClasses.size()];
  drawn.draw(random, inputs);
  fit_into_domain(inputs.Q, inputs.K, inputs.V);
  return attention_case(inputs, std::string(drawn.name), "");
}

std::vector<std::string_view> attention_input_classes() {
  std::vector<std::string_view> names;
  for (const ValueClass& each : kClasses) names.push_back(each.name);
  return names;
}

std::vector<grader::Quota> attention_input_quotas() {
  std::vector<grader::Quota> quotas;
  constexpr double half_share = 0.5 / static_cast<double>(kClasses.size());
  for (const ValueClass& each : kClasses) {
    if (each.name != "normal") quotas.push_back({std::string(each.name), half_share});
  }
  quotas.push_back({"normal", 4 * half_share});
  return quotas;
}

AttentionInputs attention_inputs_of(const Case& test_case) {
  return {test_case.matrix("Q"),
          test_case.matrix("K"),
          test_case.matrix("V"),
          {test_case.boolean("causal"), test_case.boolean("scaled")}};
}

Case attention_case(const AttentionInputs& inputs, std::string label, std::string name) {
  Case result;
  result.inputs = {{"Q", inputs.Q, {"n", "d_k"}, false},
                   {"K", inputs.K, {"n", "d_k"}, false},
                   {"V", inputs.V, {"n", "d_v"}, false},
                   {"causal", inputs.options.causal, {}, false},
                   {"scaled", inputs.options.scaled, {}, false}};
  result.label = std::move(label);
  result.name = std::move(name);
  return result;
}

bool admits_attention_inputs(const Case& test_case) {
  const Matrix& Q = test_case.matrix("Q");
  const Matrix& K = test_case.matrix("K");
  const Matrix& V = test_case.matrix("V");
  return Q.rows >= 1 && Q.columns >= 1 && V.columns >= 1 && K.rows == Q.rows && V.rows == Q.rows &&
         K.columns == Q.columns && in_domain(Q, K, V);
}

AttentionInputs lesson_inputs(const Options& options) {
  AttentionInputs inputs{Matrix(4, 2), Matrix(4, 2), Matrix(4, 2), options};
  inputs.Q.entries = {1, 0, 0, 1, 1, 1, 1, -1};
  inputs.K.entries = inputs.Q.entries;
  inputs.V.entries = {1, 2, 3, 4, 5, 6, 7, 8};
  return inputs;
}

std::vector<Case> lesson_cases() {
  std::vector<Case> cases;
  for (const Options options :
       {Options{true, true}, Options{true, false}, Options{false, true}, Options{false, false}}) {
    cases.push_back(attention_case(lesson_inputs(options), "lesson", std::string(kLessonName)));
  }
  return cases;
}

}  // namespace attention_assignment
