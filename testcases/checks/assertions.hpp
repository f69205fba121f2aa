// Checks on the student's own assertions.
//
// The five assertion functions are given results of correct implementations, which they must
// accept, and results that violate what the function's name says and nothing else, which they must
// reject. Between the two lies a gap into which no honest tolerance falls: row sums of valid
// weights deviate from one by at most 1e-14, zeros and unchanged outputs are exact, entropies are
// equal to the bit or higher by far more than 1e-6; violations are at least 1e-3 large.
//
// All data are made by construction, from fractions with a power of two as denominator: nothing in
// here computes attention, so the file can be handed to students.
#pragma once

#include <vector>

#include "grader/engine/check.hpp"

namespace attention_assignment {

/// assertions.output_shapes_match, .rows_sum_to_one, .future_weights_are_zero,
/// .past_outputs_unchanged, .scaling_raises_entropy. Each judges fixed cases only.
std::vector<grader::Check> assertion_checks();

}  // namespace attention_assignment
