// The contract of the toy assignment: one function on one row of numbers. No library is needed.
#pragma once

#include <vector>

namespace toy {

using Row = std::vector<double>;

/// The arithmetic mean of a row that is not empty.
double mean(const Row& values);

}  // namespace toy
