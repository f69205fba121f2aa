#include "testcases/checks/judging.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "testcases/checks/tolerance.hpp"
#include "testcases/generators/attention_inputs.hpp"

namespace attention_assignment {
namespace {

using grader::Judgement;
using grader::Matrix;

bool is(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  return matrix.rows == rows && matrix.columns == columns;
}

bool any_usable_row(const Called& called) {
  for (std::int64_t row = 0; row < called.own.logits.rows; ++row) {
    if (is_usable_logits_row(called.own.logits, row)) return true;
  }
  return false;
}

Matrix leading_block(const Matrix& matrix, std::int64_t size) {
  Matrix block(size, size);
  for (std::int64_t row = 0; row < size; ++row) {
    for (std::int64_t column = 0; column < size; ++column) block(row, column) = matrix(row, column);
  }
  return block;
}

}  // namespace

grader::Check check_on_attention_inputs(std::string id) {
  grader::Check check;
  check.id = std::move(id);
  check.generator = kAttentionInputs;
  check.generate = draw_attention_inputs;
  check.fixed_cases = lesson_cases();
  check.admits = admits_attention_inputs;
  check.quotas = attention_input_quotas();
  return check;
}

Judgement holds(bool witnessed, std::string_view otherwise) {
  Judgement judgement;
  judgement.witnessed = witnessed;
  if (!witnessed) judgement.message = otherwise;
  return judgement;
}

Judgement blocked_by(std::string_view owner) {
  Judgement judgement;
  judgement.verdict = Judgement::Verdict::not_judged;
  judgement.blocked_by = owner;
  return judgement;
}

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), end.ptr};
}

std::string size_text(std::int64_t rows, std::int64_t columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

std::string entry_text(std::string_view matrix, std::int64_t row, std::int64_t column) {
  return std::string(matrix) + "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

bool has_right_shapes(const AttentionResult& own, const AttentionInputs& inputs, Needs needs) {
  const std::int64_t n = inputs.n();
  const bool logits = is(own.logits, n, n);
  const bool weights = is(own.weights, n, n);
  switch (needs) {
    case Needs::logits: return logits;
    case Needs::weights: return weights;
    case Needs::logits_and_weights: return logits && weights;
    case Needs::everything: break;
  }
  return logits && weights && is(own.output, n, inputs.d_v());
}

AttentionInputs square_part(const AttentionInputs& inputs) {
  const std::int64_t size = std::min({inputs.n(), inputs.d_k(), inputs.d_v()});
  return {leading_block(inputs.Q, size), leading_block(inputs.K, size),
          leading_block(inputs.V, size), inputs.options};
}

bool complains_about_sizes(const grader::Outcome& outcome) {
  if (outcome.ending != grader::Ending::threw) return false;
  constexpr std::array<std::string_view, 6> words = {"Eigen",     "size",   "shape",
                                                     "dimension", "rows()", "cols()"};
  return std::ranges::any_of(words, [&](std::string_view word) {
    return outcome.message.find(word) != std::string::npos;
  });
}

Called call_attention(Student& student, const AttentionInputs& inputs, Needs needs) {
  const bool is_square = inputs.n() == inputs.d_k() && inputs.n() == inputs.d_v();
  Called called{inputs, {}, false, false, false};
  try {
    called.own = student.attention(inputs);
    called.right_shapes = has_right_shapes(called.own, inputs, needs);
    if (called.right_shapes || is_square) return called;
  } catch (const grader::CallFault& fault) {
    if (is_square || !complains_about_sizes(fault.outcome)) throw;
  }
  called.inputs = square_part(inputs);
  called.cut = true;
  called.own = student.attention(called.inputs);
  called.right_shapes = has_right_shapes(called.own, called.inputs, needs);
  return called;
}

Called call_stage(Student& student, const AttentionInputs& inputs, Needs needs) {
  Called masked = call_attention(student, inputs, needs);
  if (!masked.right_shapes || !masked.inputs.options.causal || any_usable_row(masked)) {
    return masked;
  }
  AttentionInputs without_mask = masked.inputs;
  without_mask.options.causal = false;
  Called unmasked = call_attention(student, without_mask, needs);
  if (!unmasked.right_shapes || !any_usable_row(unmasked)) return masked;
  unmasked.cut = unmasked.cut || masked.cut;
  unmasked.unmasked = true;
  return unmasked;
}

bool is_usable_logits_row(const Matrix& logits, std::int64_t row) {
  bool any_finite = false;
  for (std::int64_t column = 0; column < logits.columns; ++column) {
    const double logit = logits(row, column);
    if (std::isnan(logit) || (std::isinf(logit) && logit > 0)) return false;
    any_finite = any_finite || std::isfinite(logit);
  }
  return any_finite;
}

bool is_finite_row(const Matrix& matrix, std::int64_t row) {
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    if (!std::isfinite(matrix(row, column))) return false;
  }
  return true;
}

double own_relative_error(const AttentionInputs& inputs, const Matrix& own_logits, std::int64_t row,
                          double magnitude) {
  for (std::int64_t j = 0; j < own_logits.columns; ++j) {
    const double logit = own_logits(row, j);
    if (!is_filled(logit) && std::isfinite(logit)) magnitude = std::max(magnitude, std::abs(logit));
  }
  return relative_error(inputs.n(), inputs.d_k(), magnitude);
}

double largest_visible(const AttentionInputs& inputs, const Matrix& magnitudes, std::int64_t row) {
  double largest = 0;
  for (std::int64_t j = 0; j < inputs.n(); ++j) {
    if (inputs.visible(row, j)) largest = std::max(largest, magnitudes(row, j));
  }
  return largest;
}

std::optional<Position> first_refused(
    std::int64_t rows, std::int64_t columns,
    const std::function<bool(std::int64_t, std::int64_t)>& accept) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      if (!accept(row, column)) return Position{row, column};
    }
  }
  return std::nullopt;
}

bool same_answer(double left, double right, double tolerance) {
  if (left == right || (std::isnan(left) && std::isnan(right))) return true;
  return std::abs(left - right) <= tolerance && std::isfinite(left) && std::isfinite(right);
}

Judgement wrong_entry(std::string_view name, const Matrix& own, const Matrix& expected,
                      Position position, std::string_view why, const Called* called) {
  const double got = own(position.row, position.column);
  const double right = expected(position.row, position.column);
  std::string message = entry_text(name, position.row, position.column) + " is " + text_of(got) +
                        ", expected " + text_of(right) + ": " + std::string(why);
  if (called != nullptr && called->cut) {
    message += " (judged on the first " + std::to_string(called->inputs.n()) +
               " tokens and features, where the shapes come out right)";
  }
  if (called != nullptr && called->unmasked) {
    message += " (judged with causal off, since the mask leaves no logit to judge)";
  }
  message += ".";
  return violated(std::move(message), {{std::string(name), own}}, {{std::string(name), expected}},
                  grader::Difference{std::string(name), position.row, position.column});
}

Judgement violated(std::string message, std::vector<grader::Field> returned,
                   std::vector<grader::Field> expected,
                   std::optional<grader::Difference> difference) {
  Judgement judgement;
  judgement.verdict = Judgement::Verdict::violated;
  judgement.message = std::move(message);
  judgement.returned = std::move(returned);
  judgement.expected = std::move(expected);
  judgement.first_difference = std::move(difference);
  return judgement;
}

Matrix as_matrix(const grader::RowVector& row) {
  Matrix matrix(1, row.size());
  matrix.entries = row.entries;
  return matrix;
}

}  // namespace attention_assignment
