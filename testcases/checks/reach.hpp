// How far the submission's own logits go in a direction in which mistakes hide: what the searches
// of checks climb by (grader/engine/search.hpp).
#pragma once

#include "grader/engine/check.hpp"

namespace attention_assignment {

/// The size of the largest visible logit.
double reach_of_logits(const grader::Case& test_case, grader::Implementation& implementation);

/// How low the largest visible logit of a row is, in the row where it is lowest.
double depth_of_rows(const grader::Case& test_case, grader::Implementation& implementation);
/// The same among rows that have a future.
double depth_of_masked_rows(const grader::Case& test_case, grader::Implementation& implementation);

/// How low the largest number of the row z is.
double depth_of_row(const grader::Case& test_case, grader::Implementation& implementation);

}  // namespace attention_assignment
