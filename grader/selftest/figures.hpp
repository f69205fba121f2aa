// What can be said of one row of the kill matrix, for the rules and for the figures alike.
#pragma once

#include "grader/selftest/selftest.hpp"

namespace grader {

/// The one thing that the diagnosis names is this mistake, or cannot be told from it.
bool is_named(const MatrixRow& row);

bool is_shown_on_small_input(const MatrixRow& row);

}  // namespace grader
