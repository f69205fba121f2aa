#include "home/stored_trusted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "testcases/checks/tolerance.hpp"

namespace attention_home {
namespace {

using attention_assignment::Keys;
using attention_assignment::NotStored;
using attention_assignment::ProjectionMatrices;
using attention_assignment::ShapeLedger;
using grader::Matrix;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// A logit this far below another one of its row has weight 0 in every double computation.
constexpr double kDrowned = 800.0;

const std::vector<double>& need(const Numbers& numbers, const Key& key, const char* what) {
  const std::vector<double>* found = numbers.find(key);
  if (found == nullptr) {
    throw NotStored(std::string("no ") + what + " is stored for this input", "");
  }
  return *found;
}

StoredAttention need_attention(const Numbers& numbers, const AttentionInputs& inputs) {
  std::optional<StoredAttention> found = StoredAttention::find(numbers, inputs);
  if (!found) throw NotStored("no attention is stored for this input", "");
  return *std::move(found);
}

/// The options whose answers are compared with what the student returned: those that were asked
/// for first, then the ones with a mask or a scale missing or added.
std::array<Options, 4> candidates(const Options& asked) {
  return {Options{asked.causal, asked.scaled}, Options{asked.causal, !asked.scaled},
          Options{!asked.causal, asked.scaled}, Options{!asked.causal, !asked.scaled}};
}

bool is_usable(double logit) { return logit < std::numeric_limits<double>::infinity(); }

/// One row of own logits as the softmax will see it.
struct LogitsRow {
  const AttentionInputs& inputs;
  const Matrix& own;
  std::int64_t row;
  Keys keys;

  [[nodiscard]] bool counts(std::int64_t column) const {
    return keys == Keys::as_returned || inputs.visible(row, column);
  }
  /// The largest logit that counts; −∞ when there is none. Nothing when one is NaN or +∞.
  [[nodiscard]] std::optional<double> largest() const {
    double result = -std::numeric_limits<double>::infinity();
    for (std::int64_t column = 0; column < own.columns; ++column) {
      if (!counts(column)) continue;
      if (!is_usable(own(row, column))) return std::nullopt;
      result = std::max(result, own(row, column));
    }
    return result;
  }
};

bool close(double own, double expected, double tolerance) {
  return own == expected || std::abs(own - expected) <= tolerance;
}

/// True when the softmax of the own row is the stored row under `options`: every key that `options`
/// make visible has the expected logit, and every other one that counts has no weight.
bool agrees(const LogitsRow& logits, double largest, const StoredAttention& stored,
            const Options& options) {
  const ExpectedAttention& answer = stored.under(options);
  for (std::int64_t column = 0; column < logits.own.columns; ++column) {
    const double own = logits.own(logits.row, column);
    const bool visible = !options.causal || column <= logits.row;
    if (!visible) {
      if (logits.counts(column) && !(own < largest - kDrowned)) return false;
      continue;
    }
    const double tolerance = attention_assignment::logit_tolerance(
        logits.inputs.d_k(), answer.magnitudes(logits.row, column));
    if (!logits.counts(column) ||
        !close(own, answer.result.logits(logits.row, column), tolerance)) {
      return false;
    }
  }
  return true;
}

/// Why a row of own logits is unknown: the visible ones are wrong, or only the mask is.
std::string culprit(const LogitsRow& logits, const StoredAttention& stored) {
  const LogitsRow visible{logits.inputs, logits.own, logits.row, Keys::visible};
  const std::optional<double> largest = visible.largest();
  const bool right = largest && agrees(visible, *largest, stored, logits.inputs.options);
  return right ? "mask.future_logits" : "scaling.logits";
}

void copy_row(const Matrix& source, Matrix& target, std::int64_t row) {
  for (std::int64_t column = 0; column < source.columns; ++column) {
    target(row, column) = source(row, column);
  }
}

/// True when a row of own weights is the stored one under `options`.
bool agrees(const AttentionInputs& inputs, const Matrix& own, std::int64_t row,
            const ExpectedAttention& answer, const Options& options) {
  double largest_magnitude = 0;
  for (std::int64_t column = 0; column < own.columns; ++column) {
    if (options.causal && column > row) continue;
    largest_magnitude = std::max(largest_magnitude, answer.magnitudes(row, column));
  }
  const double error =
      attention_assignment::relative_error(inputs.n(), inputs.d_k(), largest_magnitude);
  for (std::int64_t column = 0; column < own.columns; ++column) {
    const double expected = answer.result.weights(row, column);
    const double tolerance = attention_assignment::weight_tolerance(2 * error, expected);
    if (!close(own(row, column), expected, tolerance)) return false;
  }
  return true;
}

bool has_finite_row(const Matrix& matrix, std::int64_t row) {
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    if (!std::isfinite(matrix(row, column))) return false;
  }
  return true;
}

}  // namespace

Key ledger_key(std::int64_t n, std::int64_t d_k, std::int64_t d_v) {
  return KeyBuilder(Question::shape_ledger).add(n).add(d_k).add(d_v).key();
}

Key row_key(Question question, const grader::RowVector& row) {
  return KeyBuilder(question).add(std::span(row.entries)).key();
}

Key project_key(const Matrix& X, const ProjectionMatrices& projections) {
  return KeyBuilder(Question::project)
      .add(X)
      .add(projections.W_q)
      .add(projections.W_k)
      .add(projections.W_v)
      .key();
}

ShapeLedger StoredTrusted::shape_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v) const {
  const auto& numbers = need(numbers_, ledger_key(n, d_k, d_v), "shape ledger");
  ShapeLedger ledger;
  for (std::size_t entry = 0; entry < ledger.size(); ++entry) {
    ledger[entry] = {static_cast<std::int64_t>(numbers.at(2 * entry)),
                     static_cast<std::int64_t>(numbers.at(2 * entry + 1))};
  }
  return ledger;
}

ExpectedAttention StoredTrusted::attention(const AttentionInputs& inputs) const {
  return need_attention(numbers_, inputs).under(inputs.options);
}

grader::RowVector StoredTrusted::softmax(const grader::RowVector& logits) const {
  return {need(numbers_, row_key(Question::softmax, logits), "softmax")};
}

double StoredTrusted::entropy(const grader::RowVector& weights) const {
  return need(numbers_, row_key(Question::entropy, weights), "entropy").at(0);
}

AttentionInputs StoredTrusted::project(const Matrix& X, const ProjectionMatrices& projections,
                                       const Options& options) const {
  const auto& numbers = need(numbers_, project_key(X, projections), "projection");
  AttentionInputs inputs{Matrix(X.rows, projections.W_q.columns),
                         Matrix(X.rows, projections.W_k.columns),
                         Matrix(X.rows, projections.W_v.columns), options};
  std::size_t position = 0;
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    for (double& entry : matrix->entries) entry = numbers.at(position++);
  }
  return inputs;
}

Matrix StoredTrusted::weights_on_logits(const AttentionInputs& inputs, const Matrix& own_logits,
                                        Keys keys) const {
  const StoredAttention stored = need_attention(numbers_, inputs);
  Matrix weights(own_logits.rows, own_logits.columns, kNaN);
  for (std::int64_t row = 0; row < own_logits.rows; ++row) {
    const LogitsRow logits{inputs, own_logits, row, keys};
    const std::optional<double> largest = logits.largest();
    if (!largest || !std::isfinite(*largest)) continue;  // stays NaN, as the interface says
    const auto options = candidates(inputs.options);
    const auto match = std::ranges::find_if(options, [&](const Options& candidate) {
      return agrees(logits, *largest, stored, candidate);
    });
    if (match == options.end()) {
      throw NotStored("nothing is stored for these logits of yours", culprit(logits, stored));
    }
    copy_row(stored.under(*match).result.weights, weights, row);
  }
  return weights;
}

Matrix StoredTrusted::output_on_weights(const AttentionInputs& inputs,
                                        const Matrix& own_weights) const {
  const StoredAttention stored = need_attention(numbers_, inputs);
  Matrix output(own_weights.rows, inputs.d_v(), kNaN);
  for (std::int64_t row = 0; row < own_weights.rows; ++row) {
    if (!has_finite_row(own_weights, row)) continue;  // stays NaN, as the interface says
    const auto options = candidates(inputs.options);
    const auto match = std::ranges::find_if(options, [&](const Options& candidate) {
      return agrees(inputs, own_weights, row, stored.under(candidate), candidate);
    });
    if (match == options.end()) {
      throw NotStored("nothing is stored for these weights of yours", "softmax.values");
    }
    copy_row(stored.under(*match).result.output, output, row);
  }
  return output;
}

}  // namespace attention_home
