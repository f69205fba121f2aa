// What a process that grades one submission of a batch is asked, as a file that it reads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/pipeline/grade_submission.hpp"

namespace grader {

struct TaskRequest {
  std::filesystem::path submission;  ///< absolute, so that another machine finds it
  std::filesystem::path out;         ///< absolute; where the results are to be put
  std::string id;                    ///< what results call the submission: the student's
  std::filesystem::path assignment;  ///< its folder, absolute
  std::string shown_assignment;      ///< what commands in reports call it; empty: nothing
  GradeOptions options;
  std::string check;              ///< to grade alone; empty: all
  std::filesystem::path earlier;  ///< with a check: the folder of the run whose rest is kept
  std::string isolation;          ///< level, or empty: as far as the machine allows
  bool accepts_none = false;      ///< even if nothing isolates submissions
};

std::string request_to_json(const TaskRequest& request);
/// Throws UsageFault when `text` is not what request_to_json writes.
TaskRequest request_from_json(const std::string& text, const std::string& name);

}  // namespace grader
