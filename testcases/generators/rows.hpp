// Random rows for direct calls of softmax() and entropy().
#pragma once

#include <string>

#include "grader/contract/value.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/random.hpp"

namespace attention_assignment {

struct LabelledRow {
  grader::RowVector row;
  std::string label;
};

/// Logits within ±600 and 300 of each other, 1 to 12 of them (40 at times), by class: normal,
/// integers, ties, offset, tiny, wide, and normal with some −∞ behind a finite front.
LabelledRow draw_logits(grader::Random& random, const grader::Schedule& schedule);

/// The same domain with numbers that are multiples of 2^-10, so that adding an integer is exact.
grader::RowVector draw_dyadic_logits(grader::Random& random);

/// Logits at and beyond what exp can represent, by class: huge, far apart, all very negative,
/// huge offset, masked front, nearly all masked, enormous one-hot, tiny.
LabelledRow draw_extreme_logits(grader::Random& random, const grader::Schedule& schedule);

/// A distribution: non-negative weights that sum to one up to rounding; with zeros at times.
LabelledRow draw_distribution(grader::Random& random, const grader::Schedule& schedule);

/// True for a row that softmax() is promised: at least one finite logit, no NaN, no +∞.
bool is_promised_row(const grader::RowVector& row);

/// True when the finite logits also lie within ±600 and 300 of each other and the first is finite.
bool is_ordinary_row(const grader::RowVector& row);

}  // namespace attention_assignment
