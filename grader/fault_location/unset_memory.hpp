// Tells when a wrong answer holds what only memory holds that nothing was written to.
#pragma once

#include <vector>

#include "grader/contract/value.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

/// Whether a number in `value` is, bit for bit, what fresh memory or a fresh variable is filled
/// with where submissions run. No computation comes to these numbers by chance, and adding moderate
/// ones to them leaves them as they are.
bool holds_unset_number(const Value& value);

/// Adds a sentence to the message of each wrong answer in `results` that holds such a number. On
/// which line it was read is not known: what finds that needs more than a box gives
/// (docs/threat-model.md).
void tell_unset_memory(std::vector<CheckResult>& results);

}  // namespace grader
