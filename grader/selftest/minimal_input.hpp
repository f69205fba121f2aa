// The smallest input on which a model is caught, from the checks' own shrinking.
#pragma once

#include <cstdint>
#include <optional>

#include "grader/assignment/assignment.hpp"
#include "grader/assignment/policy.hpp"
#include "grader/engine/engine.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// Runs the checks on `model` with shrinking, those of its own objective first and the cheapest of
/// them first, until one fails on an input that can be shown. Nothing when none does.
std::optional<ScoredCheck> caught_on_minimal_input(const Judge& judge, const Policy& policy,
                                                   const Model& model, EngineOptions options);

/// The largest number of rows or columns in the inputs of a case.
std::int64_t largest_extent(const Case& test_case);

}  // namespace grader
