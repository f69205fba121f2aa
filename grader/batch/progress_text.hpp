// How far a batch is, in words.
#pragma once

#include <chrono>
#include <string>

#include "grader/batch/attempt.hpp"
#include "grader/batch/coordinator.hpp"

namespace grader {

/// "57 of 200 · 1.9 a second · 2 min left · 1 needs attention"
std::string progress_line(const BatchProgress& progress, std::chrono::duration<double> elapsed);

/// "ada (attempt 2): 70 of 100", for a log.
std::string result_line(const Attempt& attempt, const RunRecord& run);

/// "45 s", "12 min", "3 h 20 min"
std::string duration_text(std::chrono::duration<double> duration);

}  // namespace grader
