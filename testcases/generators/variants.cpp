#include "testcases/generators/variants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"
#include "testcases/generators/shapes.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Input;
using grader::Matrix;
using grader::Random;

Input& input_of(Case& test_case, std::string_view name) {
  for (Input& input : test_case.inputs) {
    if (input.name == name) return input;
  }
  test_case.inputs.push_back({std::string(name), false, {}, false});
  return test_case.inputs.back();
}

Matrix normal_matrix(Random& random, std::int64_t rows, std::int64_t columns) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.entries) entry = random.normal();
  return matrix;
}

/// `before` with the rows from `first` on taken from `after`.
Matrix with_rows_from(std::int64_t first, Matrix before, const Matrix& after) {
  for (std::int64_t row = first; row < before.rows; ++row) {
    for (std::int64_t column = 0; column < before.columns; ++column) {
      before(row, column) = after(row, column);
    }
  }
  return before;
}

void add_change(Case& test_case, std::int64_t changed_token, Matrix Q_new, Matrix K_new,
                Matrix V_new, bool through_self_attention) {
  test_case.inputs.push_back({"changed_token", changed_token, {"n"}, false});
  test_case.inputs.push_back({"Q_new", std::move(Q_new), {"n", "d_k"}, false});
  test_case.inputs.push_back({"K_new", std::move(K_new), {"n", "d_k"}, false});
  test_case.inputs.push_back({"V_new", std::move(V_new), {"n", "d_v"}, false});
  test_case.inputs.push_back({"through_self_attention", through_self_attention, {}, false});
}

/// Halves the values until none exceeds 2^20: what stays and what is replaced are moderate, so that
/// single precision does not turn a hidden value into infinity.
void make_moderate(Matrix& V) {
  constexpr double largest = 0x1p20;
  const auto exceeds = [](double entry) { return !(std::abs(entry) <= largest); };
  while (std::ranges::any_of(V.entries, exceeds)) {
    for (double& entry : V.entries) entry *= 0.5;
  }
}

bool same_size(const Matrix& left, const Matrix& right) {
  return left.rows == right.rows && left.columns == right.columns;
}

Case unit_variance_case(Random& random, std::int64_t n, std::int64_t d_k, std::int64_t d_v) {
  Matrix Q = normal_matrix(random, n, d_k);
  Matrix K = normal_matrix(random, n, d_k);
  Matrix V = normal_matrix(random, n, d_v);
  fit_into_domain(Q, K, V);
  return attention_case({std::move(Q), std::move(K), std::move(V), {false, true}},
                        "d_k = " + std::to_string(d_k), "");
}

}  // namespace

SelectedTokens select_from_tokens(const AttentionInputs& inputs) {
  const std::int64_t d_k = inputs.d_k();
  const std::int64_t d_v = inputs.d_v();
  const std::int64_t d_model = 2 * d_k + d_v;
  SelectedTokens selected{Matrix(inputs.n(), d_model),
                          {Matrix(d_model, d_k), Matrix(d_model, d_k), Matrix(d_model, d_v)}};
  std::int64_t offset = 0;
  const auto place = [&](const Matrix& part, Matrix& selector) {
    for (std::int64_t column = 0; column < part.columns; ++column) {
      for (std::int64_t row = 0; row < part.rows; ++row) {
        selected.X(row, offset + column) = part(row, column);
      }
      selector(offset + column, column) = 1;
    }
    offset += part.columns;
  };
  place(inputs.Q, selected.projections.W_q);
  place(inputs.K, selected.projections.W_k);
  place(inputs.V, selected.projections.W_v);
  return selected;
}

Case draw_inputs_and_row(Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_attention_inputs(random, schedule);
  drawn.inputs.push_back({"i", random.integer(0, drawn.matrix("Q").rows - 1), {"n"}, false});
  return drawn;
}

bool admits_inputs_and_row(const Case& test_case) {
  const std::int64_t i = test_case.integer("i");
  return admits_attention_inputs(test_case) && i >= 0 && i < test_case.matrix("Q").rows;
}

Case draw_changed_tokens(Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_attention_inputs(random, schedule);
  input_of(drawn, "causal").value = true;
  make_moderate(std::get<Matrix>(input_of(drawn, "V").value));
  AttentionInputs inputs = attention_inputs_of(drawn);
  if (inputs.n() == 1) {
    // Nothing is past here; another token makes a case of it.
    for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
      matrix->rows = 2;
      for (std::int64_t column = 0; column < matrix->columns; ++column) {
        matrix->entries.push_back(random.normal());
      }
    }
    inputs.V.entries.back() = 1;
    fit_into_domain(inputs.Q, inputs.K, inputs.V);
    drawn = attention_case(inputs, drawn.label, "");
  }
  const std::int64_t changed_token = random.integer(1, inputs.n() - 1);
  Matrix Q_new = normal_matrix(random, inputs.n(), inputs.d_k());
  Matrix K_new = normal_matrix(random, inputs.n(), inputs.d_k());
  Matrix V_new = normal_matrix(random, inputs.n(), inputs.d_v());
  const double value_size =
      std::array{1.0, 1.0, 1e3, 1e6}[static_cast<std::size_t>(random.integer(0, 3))];
  for (double& entry : V_new.entries) entry *= value_size;
  const bool through_self_attention = schedule.index % 4 == 2;
  // The replaced tokens are fitted alone first, then together with the ones that stay.
  fit_into_domain(Q_new, K_new, V_new);
  add_change(drawn, changed_token, std::move(Q_new), std::move(K_new), std::move(V_new),
             through_self_attention);
  AttentionInputs after = changed_inputs_of(drawn);
  for (int halving = 0; halving < 64 && !in_domain(after.Q, after.K, after.V); ++halving) {
    for (Input& input : drawn.inputs) {
      if (input.name != "Q" && input.name != "Q_new") continue;
      for (double& entry : std::get<Matrix>(input.value).entries) entry *= 0.5;
    }
    after = changed_inputs_of(drawn);
  }
  return drawn;
}

bool admits_changed_tokens(const Case& test_case) {
  if (!admits_attention_inputs(test_case) || !test_case.boolean("causal")) return false;
  const std::int64_t changed_token = test_case.integer("changed_token");
  if (changed_token < 1 || changed_token >= test_case.matrix("Q").rows) return false;
  if (!same_size(test_case.matrix("Q"), test_case.matrix("Q_new")) ||
      !same_size(test_case.matrix("K"), test_case.matrix("K_new")) ||
      !same_size(test_case.matrix("V"), test_case.matrix("V_new"))) {
    return false;
  }
  const AttentionInputs after = changed_inputs_of(test_case);
  return in_domain(after.Q, after.K, after.V);
}

AttentionInputs changed_inputs_of(const Case& test_case) {
  AttentionInputs inputs = attention_inputs_of(test_case);
  const std::int64_t first = test_case.integer("changed_token");
  inputs.Q = with_rows_from(first, std::move(inputs.Q), test_case.matrix("Q_new"));
  inputs.K = with_rows_from(first, std::move(inputs.K), test_case.matrix("K_new"));
  inputs.V = with_rows_from(first, std::move(inputs.V), test_case.matrix("V_new"));
  return inputs;
}

std::vector<Case> lesson_changes() {
  std::vector<Case> cases;
  for (const bool through_self_attention : {false, true}) {
    const AttentionInputs inputs = lesson_inputs({});
    Case changed = attention_case(inputs, "lesson", std::string(kLessonName));
    Matrix Q_new(4, 2);
    Matrix K_new(4, 2);
    Matrix V_new(4, 2);
    Q_new(3, 0) = -1;
    Q_new(3, 1) = 2;
    K_new(3, 0) = 2;
    K_new(3, 1) = 1;
    V_new(3, 0) = -9;
    V_new(3, 1) = 9;
    add_change(changed, 3, std::move(Q_new), std::move(K_new), std::move(V_new),
               through_self_attention);
    cases.push_back(std::move(changed));
  }
  return cases;
}

Case draw_projections(Random& random, const grader::Schedule& schedule) {
  CaseShape shape = draw_shape(random, schedule);
  if (shape.n > 12) shape = {12, 7, 5};  // large tokens add nothing here
  std::int64_t d_model = random.integer(1, 8);
  while (schedule.index % 16 != 7 && (d_model == shape.d_k || d_model == shape.d_v)) {
    d_model = random.integer(1, 8);
  }
  const bool whole = random.chance(1, 2);
  const auto draw = [&](std::int64_t rows, std::int64_t columns, std::int64_t limit) {
    Matrix matrix(rows, columns);
    for (double& entry : matrix.entries) {
      entry = static_cast<double>(random.integer(-limit, limit)) * (whole ? 1.0 : 0.25);
    }
    return matrix;
  };
  Matrix X = draw(shape.n, d_model, 3);
  Matrix W_q = draw(d_model, shape.d_k, 2);
  Matrix W_k = draw(d_model, shape.d_k, 2);
  Matrix W_v = draw(d_model, shape.d_v, 4);
  Case drawn;
  drawn.label = whole ? "integers" : "quarters";
  constexpr std::array<bool, 4> causal = {true, true, true, false};
  drawn.inputs = {{"X", std::move(X), {"n", "d_model"}, false},
                  {"W_q", std::move(W_q), {"d_model", "d_k"}, false},
                  {"W_k", std::move(W_k), {"d_model", "d_k"}, false},
                  {"W_v", std::move(W_v), {"d_model", "d_v"}, false},
                  {"causal", causal[static_cast<std::size_t>(schedule.index) % 4], {}, false},
                  {"scaled", schedule.index % 3 != 1, {}, false}};
  for (int halving = 0; halving < 20 && !admits_projections(drawn); ++halving) {
    for (double& entry : std::get<Matrix>(drawn.inputs[1].value).entries) entry *= 0.5;
  }
  return drawn;
}

bool admits_projections(const Case& test_case) {
  const Matrix& X = test_case.matrix("X");
  const ProjectionMatrices projections = projections_of(test_case);
  if (X.rows < 1 || X.columns < 1 || projections.W_q.columns < 1 || projections.W_v.columns < 1) {
    return false;
  }
  // Every entry a multiple of 2^-20 below 2^6, so that products and sums of a dozen are exact.
  double tokens = 0;
  double query = 0;
  double key = 0;
  const auto exact = [](const Matrix& matrix, double& square) {
    for (const double entry : matrix.entries) {
      const double scaled = std::ldexp(entry, 20);
      if (!(std::abs(entry) <= 64) || scaled != std::floor(scaled)) return false;
      square += entry * entry;
    }
    return true;
  };
  double value = 0;
  if (!exact(X, tokens) || !exact(projections.W_q, query) || !exact(projections.W_k, key) ||
      !exact(projections.W_v, value)) {
    return false;
  }
  double longest = 0;
  for (std::int64_t row = 0; row < X.rows; ++row) longest = std::max(longest, row_norm(X, row));
  // |x·W| <= |x|·|W|, so no logit leaves ±150 and no two are further apart than 300.
  return longest * longest * std::sqrt(query) * std::sqrt(key) <= kLargestSpread / 2;
}

ProjectionMatrices projections_of(const Case& test_case) {
  return {test_case.matrix("W_q"), test_case.matrix("W_k"), test_case.matrix("W_v")};
}

Case lesson_projections() {
  Case lesson;
  lesson.label = "lesson";
  lesson.name = std::string(kLessonName);
  const auto matrix = [](std::int64_t rows, std::int64_t columns, std::vector<double> entries) {
    Matrix result(rows, columns);
    result.entries = std::move(entries);
    return result;
  };
  lesson.inputs = {{"X", lesson_inputs({}).Q, {"n", "d_model"}, false},
                   {"W_q", matrix(2, 2, {1, 2, 0, 1}), {"d_model", "d_k"}, false},
                   {"W_k", matrix(2, 2, {1, 0, -1, 1}), {"d_model", "d_k"}, false},
                   {"W_v", matrix(2, 3, {1, 0, 2, 3, -1, 1}), {"d_model", "d_v"}, false},
                   {"causal", true, {}, false},
                   {"scaled", true, {}, false}};
  return lesson;
}

Case draw_unit_variance(Random& random, const grader::Schedule& schedule) {
  constexpr std::array<std::int64_t, 4> features = {16, 32, 64, 96};
  constexpr std::int64_t tokens = 24;
  return unit_variance_case(
      random, tokens, features[static_cast<std::size_t>(schedule.index) % features.size()], 2);
}

Case draw_square_unit_variance(Random& random, const grader::Schedule& schedule) {
  constexpr std::array<std::int64_t, 3> sizes = {16, 32, 48};
  const std::int64_t size = sizes[static_cast<std::size_t>(schedule.index) % sizes.size()];
  return unit_variance_case(random, size, size, size);
}

Case draw_extreme_inputs(Random& random, const grader::Schedule& schedule) {
  const std::int64_t n = random.integer(2, 8);
  const std::int64_t d_k = random.integer(1, 6);
  AttentionInputs inputs{normal_matrix(random, n, d_k),
                         normal_matrix(random, n, d_k),
                         normal_matrix(random, n, random.integer(1, 4)),
                         {schedule.index % 4 != 3, schedule.index % 3 != 2}};
  std::string label;
  // The first feature of every query is positive, so that it carries the sign of a key's first one.
  for (std::int64_t i = 0; i < n; ++i) inputs.Q(i, 0) = 1 + std::abs(inputs.Q(i, 0)) / 8;
  switch (schedule.index % 5) {
    case 0:
      label = "huge logits";
      for (double& entry : inputs.Q.entries) entry *= 100;
      for (double& entry : inputs.K.entries) entry *= 100;
      break;
    case 1:
      label = "very negative logits";
      for (std::int64_t j = 0; j < n; ++j) inputs.K(j, 0) -= random.chance(1, 2) ? 4e3 : 1e5;
      break;
    case 2: {
      label = "future spike";
      const std::int64_t spike = random.integer(1, n - 1);
      for (std::int64_t j = spike; j < n; ++j) inputs.K(j, 0) = 1e4;
      break;
    }
    case 3:
      label = "rows far apart";
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t c = 0; c < d_k; ++c) inputs.Q(i, c) *= i % 2 == 0 ? 1e4 : 1e-2;
      }
      for (std::int64_t j = 0; j < n; ++j) inputs.K(j, 0) += 3;
      break;
    default:
      label = "very large offset";
      for (std::int64_t j = 0; j < n; ++j) inputs.K(j, 0) += 5e4;
  }
  return attention_case(inputs, std::move(label), "");
}

}  // namespace attention_assignment
