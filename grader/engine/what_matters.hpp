// After shrinking: which parts of the smallest failing input do not matter. The Python library
// Hypothesis calls this its explain phase.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grader/engine/check.hpp"
#include "grader/engine/verdict.hpp"

namespace grader {

/// Judges `minimal` with other numbers and smaller sizes, and says in one sentence what makes it
/// fail: "Other numbers fail as well; what matters is n ≥ 2." Empty when nothing is certain: an
/// input counts as free only if every variation of it that was tried fails in the same way.
///
/// At most `draws` judgements for each input, dimension and boolean of the case. Deterministic by
/// `seed`. Nothing is said about statistical checks, about the student's own assertions and about
/// time-outs.
std::string what_matters(const Check& check, const Case& minimal, const CaseVerdict& seen,
                         std::uint64_t seed, const std::function<CaseVerdict(const Case&)>& judge,
                         int draws);

}  // namespace grader
