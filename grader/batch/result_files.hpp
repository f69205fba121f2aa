// The files that a grading leaves in a run's folder.
#pragma once

#include <filesystem>
#include <string>

#include "grader/batch/task_request.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// Writes scorecard, web page and the clean submission to `out` and forces them to the disk.
/// `shown_assignment` is what the page's commands call the assignment's folder. Throws
/// EnvironmentFault.
void write_result_files(const std::filesystem::path& out, const std::filesystem::path& clean_tree,
                        const Scorecard& scorecard, const std::string& shown_assignment);

/// Grades what is requested and leaves the results where the request says. The scorecard's status
/// tells the faults of the machine and of the grader. Throws UsageFault, EnvironmentFault.
Scorecard grade_task(const TaskRequest& request);

}  // namespace grader
