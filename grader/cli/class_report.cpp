#include "grader/cli/class_report.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/assignment/policy.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/batch/class_results_of.hpp"
#include "grader/batch/overrides.hpp"
#include "grader/batch/roster.hpp"
#include "grader/class_report/class_csv.hpp"
#include "grader/class_report/class_page.hpp"
#include "grader/similarity/compare_trees.hpp"

namespace grader::cli {

namespace fs = std::filesystem;

namespace {

// The assignment's folder: as asked for, else as the batch was graded with.
fs::path folder_of(const fs::path& assignment, const BatchFile& batch) {
  if (!assignment.empty()) return assignment;
  return batch.assignment.empty() ? default_assignment() : fs::path(batch.assignment);
}

}  // namespace

ClassResults results_of(const BatchLayout& layout, const Gradebook& gradebook,
                        const fs::path& assignment) {
  const BatchFile batch = read_batch_file(layout);
  const Policy policy = read_policy(folder_of(assignment, batch) / "assignment.json");
  if (policy.id != batch.assignment_id) {
    throw UsageFault(layout.root().string() + " holds results of the assignment " +
                         batch.assignment_id + ", not of " + policy.id + ".",
                     "Name the folder of " + batch.assignment_id + " with --assignment.");
  }
  std::optional<Roster> roster;
  std::error_code error;
  if (fs::exists(layout.roster(), error)) roster = read_roster(layout.roster());
  return class_results_of(gradebook, batch, policy, read_overrides(layout.overrides()), roster);
}

void write_class_files(const BatchLayout& layout, ClassResults results,
                       const fs::path& assignment) {
  std::vector<fs::path> trees;
  for (const StudentResult& student : results.students) {
    trees.push_back(student.report.empty()
                        ? fs::path()
                        : (layout.root() / student.report).parent_path() / "submission");
  }
  const fs::path folder = folder_of(assignment, read_batch_file(layout));
  results.similarity = compare_trees(trees, folder / kTemplateFolder);
  write_atomically(layout.table(), class_csv(results));
  write_atomically(layout.page(), class_page(results));
}

}  // namespace grader::cli
