#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/batch/comparison.hpp"
#include "grader/batch/layout.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/gradebook/gradebook.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {
namespace {

namespace fs = std::filesystem;

// The scorecard in `file`, or in the run's folder `file`, as the standing of one submission.
std::vector<Standing> standing_in(fs::path file) {
  std::error_code error;
  if (fs::is_directory(file, error)) file /= kScorecardName;
  const Scorecard scorecard = read_scorecard(file);
  Standing standing;
  standing.submission.student = scorecard.submission_id;
  RunRecord run;
  run.content = scorecard.submission_digest;
  run.configuration = scorecard.configuration;
  const bool has_grade = scorecard.status != ScorecardStatus::environment_error &&
                         scorecard.status != ScorecardStatus::internal_error;
  if (has_grade) {
    run.grade = grade_record(scorecard);
    standing.graded = run;
  } else {
    standing.needs_attention = scorecard.error;
  }
  return {standing};
}

bool is_batch(const fs::path& path) {
  std::error_code error;
  return fs::exists(BatchLayout(path).gradebook(), error);
}

std::vector<Standing> standings_in(const fs::path& path) {
  if (!is_batch(path)) return standing_in(path);
  return Gradebook(BatchLayout(path).gradebook(), Gradebook::Access::read).standings();
}

// Two scorecards are compared whatever their submissions are called.
void give_one_name(std::vector<Standing>& before, const std::vector<Standing>& after) {
  before.front().submission.student = after.front().submission.student;
}

// Each submission as it stood one grade earlier; those that were graded once as they stand.
std::vector<Standing> earlier_standings(const Gradebook& gradebook) {
  std::vector<Standing> standings = gradebook.standings();
  for (Standing& standing : standings) {
    standing.needs_attention.clear();
    if (!standing.graded) continue;
    std::optional<RunRecord> earlier;
    for (RunRecord& run : gradebook.runs(standing.submission.student, standing.submission.number)) {
      if (run.grade && run.number < standing.graded->number) earlier = std::move(run);
    }
    if (earlier) standing.graded = std::move(earlier);
  }
  return standings;
}

}  // namespace

int run(const CompareCommand& command, Console& console) {
  if (command.after.empty()) {
    if (!is_batch(command.before)) {
      throw UsageFault(command.before.string() + " does not hold the results of a batch.",
                       "Name two results to compare, or the folder of a batch.");
    }
    const Gradebook gradebook(BatchLayout(command.before).gradebook(), Gradebook::Access::read);
    console.result(comparison_text(compare(earlier_standings(gradebook), gradebook.standings())));
    return kDone;
  }
  if (is_batch(command.before) != is_batch(command.after)) {
    throw UsageFault("One of them is a whole class, the other one is not.",
                     "Compare two results of `batch`, or two scorecards.");
  }
  std::vector<Standing> before = standings_in(command.before);
  const std::vector<Standing> after = standings_in(command.after);
  if (!is_batch(command.before)) give_one_name(before, after);
  console.result(comparison_text(compare(before, after)));
  return kDone;
}

}  // namespace grader::cli
