// Cases that begin with, or are made from, attention_inputs().
#pragma once

#include <vector>

#include "grader/engine/check.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

/// One call of self_attention() that computes the same attention as `inputs`: X holds queries, keys
/// and values side by side, and the projections pick the columns out (zeros and ones, so exact).
struct SelectedTokens {
  grader::Matrix X;
  ProjectionMatrices projections;
};
SelectedTokens select_from_tokens(const AttentionInputs& inputs);

/// attention_inputs() and the integer i, a token.
grader::Case draw_inputs_and_row(grader::Random& random, const grader::Schedule& schedule);
bool admits_inputs_and_row(const grader::Case& test_case);

/// attention_inputs(), always causal, and what replaces the tokens from changed_token on: Q_new,
/// K_new, V_new (rows before changed_token are not used), and through_self_attention, which says
/// by which function the outputs are asked for. At least two tokens, so one is past.
grader::Case draw_changed_tokens(grader::Random& random, const grader::Schedule& schedule);
bool admits_changed_tokens(const grader::Case& test_case);
/// The inputs after the change.
AttentionInputs changed_inputs_of(const grader::Case& test_case);
/// The lesson's example with token four changed.
std::vector<grader::Case> lesson_changes();

/// Tokens X (n × d_model) and projections W_q, W_k, W_v of dyadic numbers so small that X·W is
/// exact in any order of summation.
grader::Case draw_projections(grader::Random& random, const grader::Schedule& schedule);
bool admits_projections(const grader::Case& test_case);
ProjectionMatrices projections_of(const grader::Case& test_case);
grader::Case lesson_projections();

/// Q, K, V of independent entries with variance one, not causal, n = 24, d_k one of 16, 32, 64, 96:
/// for the statistical checks.
grader::Case draw_unit_variance(grader::Random& random, const grader::Schedule& schedule);

/// The same with n = d_k = d_v, for submissions whose shapes come out right there only.
[[nodiscard]] grader::Case draw_square_unit_variance(grader::Random& random,
                                                     const grader::Schedule& schedule);

/// Inputs far outside the domain: huge logits, rows that differ by thousands, all very negative,
/// future keys that tower over the past.
grader::Case draw_extreme_inputs(grader::Random& random, const grader::Schedule& schedule);

}  // namespace attention_assignment
