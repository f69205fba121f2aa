// What the class has reached, from the gradebook.
#pragma once

#include <optional>

#include "grader/assignment/policy.hpp"
#include "grader/batch/batch_folder.hpp"
#include "grader/batch/roster.hpp"
#include "grader/class_report/class_results.hpp"
#include "grader/gradebook/gradebook.hpp"

namespace grader {

/// Everybody of the gradebook and of the roster, with the attempt that counts, penalties and
/// `overrides`, which are those of overrides.jsonl: the gradebook may not have the last yet.
/// Similar submissions are not looked for.
ClassResults class_results_of(const Gradebook& gradebook, const BatchFile& batch,
                              const Policy& policy, const std::vector<OverrideRecord>& overrides,
                              const std::optional<Roster>& roster);

}  // namespace grader
