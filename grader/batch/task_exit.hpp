// What the exit code of a process that graded one submission says.
#pragma once

#include <cstddef>

#include "grader/batch/executor.hpp"

namespace grader {

/// Exit codes of `attention-grader grade-task`: those of the program (grader/cli/exit_code.hpp).
TaskEnd end_of_exit(std::size_t task, int exit_code);

}  // namespace grader
