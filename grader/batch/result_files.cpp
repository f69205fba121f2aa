#include "grader/batch/result_files.hpp"

#include "grader/base/files.hpp"
#include "grader/batch/handed_in.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/pipeline/result_folder.hpp"
#include "grader/report/html/html.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {

namespace fs = std::filesystem;

void write_result_files(const fs::path& out, const fs::path& clean_tree, const Scorecard& scorecard,
                        const std::string& shown_assignment) {
  ResultFolder folder(out);
  const std::string document = scorecard_to_json(scorecard);
  // The page shows what was written, where every text is plain. Its commands name the scorecard
  // beside it: the folder is handed to the student, wherever that may be.
  const CommandOptions commands{"attention-grader", kScorecardName, shown_assignment};
  folder.write(clean_tree, document,
               html_report(scorecard_from_json(document, kScorecardName), commands));
  sync_tree(out);
}

Scorecard grade_task(const TaskRequest& request) {
  const LoadedAssignment assignment = load_assignment(request.assignment);
  const TemporaryDirectory workspace;
  const fs::path handed_in = workspace.path() / "handed_in";
  const fs::path work = workspace.path() / "work";
  fs::create_directory(handed_in);
  fs::create_directory(work);
  const fs::path submission = under_neutral_name(request.submission, assignment.policy, handed_in);
  Scorecard scorecard =
      request.check.empty()
          ? grade_submission(submission, assignment, request.options, work)
          : grade_check(submission, request.check, assignment, request.options, work);
  const bool has_verdict = scorecard.status != ScorecardStatus::environment_error &&
                           scorecard.status != ScorecardStatus::internal_error;
  if (!request.check.empty() && has_verdict) {
    scorecard = with_check_of(scorecard, read_earlier_result(request.earlier), request.check,
                              {assignment, request.options, scorecard.toolchain});
  }
  scorecard.submission_id = request.id;
  write_result_files(request.out, work / "submission", scorecard, request.shown_assignment);
  return scorecard;
}

}  // namespace grader
