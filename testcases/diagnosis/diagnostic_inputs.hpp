// The fixed inputs on which a submission's mistakes are recognised: chosen so that all known
// mistakes that any input can tell apart are told apart.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

/// Generic inputs of pairwise different sizes under several options, square ones, whole numbers,
/// and extreme ones: each of these makes another shortcut of the softmax overflow or underflow.
std::vector<AttentionInputs> diagnostic_attention_inputs();

/// For attention_row(), row by row.
std::vector<AttentionInputs> diagnostic_row_inputs();

/// To be asked one after the other: the same again, others of the same sizes, other sizes.
std::vector<AttentionInputs> diagnostic_sequence();

/// Rows for softmax(): the same kinds.
std::vector<grader::RowVector> diagnostic_logits();

/// Distributions for entropy(), zeros and one-hot rows among them.
std::vector<grader::RowVector> diagnostic_weights();

/// n, d_k, d_v for shape_ledger().
std::vector<std::array<std::int64_t, 3>> diagnostic_sizes();

/// Tokens, projections and options for self_attention(). Whole numbers, so that a projection is
/// exact in any order of summation.
struct SelfAttentionInputs {
  grader::Matrix X;
  ProjectionMatrices projections;
  Options options;
};
std::vector<SelfAttentionInputs> diagnostic_self_attention_inputs();

}  // namespace attention_assignment
