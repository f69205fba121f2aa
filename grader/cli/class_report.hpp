// What `batch` and `report` tell of a class.
#pragma once

#include <filesystem>

#include "grader/batch/batch_folder.hpp"
#include "grader/class_report/class_results.hpp"
#include "grader/gradebook/gradebook.hpp"

namespace grader::cli {

/// The results in a batch's folder as they stand. `assignment` is the folder of the assignment;
/// empty: the one that the batch was graded with.
ClassResults results_of(const BatchLayout& layout, const Gradebook& gradebook,
                        const std::filesystem::path& assignment);

/// Looks for submissions with much in common and writes class.html and class.csv beside the
/// results. Throws EnvironmentFault.
void write_class_files(const BatchLayout& layout, ClassResults results,
                       const std::filesystem::path& assignment);

}  // namespace grader::cli
