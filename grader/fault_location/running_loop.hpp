// The loop in which a call is that does not end, from what prelude/steps.cpp wrote.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/fault_location/places.hpp"

namespace grader {

/// The two parts of what was written: the steps of the outermost function that still makes some,
/// and the calls that led there, innermost first.
struct RunningSteps {
  std::string_view steps;
  std::string_view callers;
};

/// The last such text in `log`, in which the submission may have printed whatever it liked. Nothing
/// when there is none.
std::optional<RunningSteps> running_steps_in(std::string_view log);

/// First line of the innermost loop that holds all `steps`; where none of them is in a file that
/// was handed in, the line of the innermost of `callers` that is. Nothing when there is no such
/// line.
std::optional<FaultLocation> running_loop(const std::vector<Chain>& steps,
                                          const std::vector<Chain>& callers);

}  // namespace grader
