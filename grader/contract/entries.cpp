#include "grader/contract/entries.hpp"

namespace grader {

// Rare, so it does not swell the loops that change number by number.
void Entries::take_copy() { shared_ = std::make_shared<std::vector<double>>(numbers()); }

}  // namespace grader
