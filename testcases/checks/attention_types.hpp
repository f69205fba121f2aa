// The contract's structs as plain data, in the words of the contract.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "grader/contract/value.hpp"

namespace attention_assignment {

/// What is on. An option that is off is off.
struct Options {
  bool causal = true;
  bool scaled = true;
};

/// Arguments of one call of attention(): Q and K are n × d_k, V is n × d_v.
struct AttentionInputs {
  grader::Matrix Q;
  grader::Matrix K;
  grader::Matrix V;
  Options options;

  [[nodiscard]] std::int64_t n() const { return Q.rows; }
  [[nodiscard]] std::int64_t d_k() const { return Q.columns; }
  [[nodiscard]] std::int64_t d_v() const { return V.columns; }
  /// True when the options let query `row` see key `column`.
  [[nodiscard]] bool visible(std::int64_t row, std::int64_t column) const {
    return !options.causal || column <= row;
  }
};

/// logits n × n, weights n × n, output n × d_v.
struct AttentionResult {
  grader::Matrix logits;
  grader::Matrix weights;
  grader::Matrix output;
};

/// One row of an AttentionResult.
struct AttentionRowResult {
  grader::RowVector logits;
  grader::RowVector weights;
  grader::RowVector output;
};

struct ProjectionMatrices {
  grader::Matrix W_q;
  grader::Matrix W_k;
  grader::Matrix W_v;
};

struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// queries, keys, values, logits, weights, output, in this order.
using ShapeLedger = std::array<MatrixShape, 6>;

inline constexpr std::array<std::string_view, 6> kLedgerNames = {"queries", "keys",    "values",
                                                                 "logits",  "weights", "output"};

}  // namespace attention_assignment
