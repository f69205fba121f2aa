#include "grader/pipeline/replay.hpp"

#include "grader/base/files.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/text.hpp"
#include "grader/sandbox/isolation.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {
namespace {

std::string verdict(const ScoredCheck& check) {
  switch (check.result.status) {
    case CheckStatus::passed: return "The stored input holds now.";
    case CheckStatus::not_run: return "The stored input cannot be judged now.";
    case CheckStatus::failed:
    case CheckStatus::crashed:
    case CheckStatus::timed_out: break;
  }
  return "The stored input fails again.";
}

}  // namespace

int run(const ReplayCommand& command, Console& console) {
  apply(command.isolation);
  const Scorecard scorecard = read_scorecard(command.scorecard);
  const LoadedAssignment assignment = assignment_in(command.assignment);
  ReplayRequest request{command.check, command.submission, command.is_changed};
  if (request.submission.empty()) request.submission = kept_submission(command.scorecard);
  const TemporaryDirectory workspace;
  ScoredCheck check = replay(scorecard, request, assignment, workspace.path(),
                             [&](const std::string& step) { console.progress(step); });
  check.replay.clear();  // this is it
  if (const std::string notice = isolation_notice(probe_isolation()); !notice.empty()) {
    console.note(notice);
  }
  console.result(check_report(check, {console.result_is_colored(), {}}) + "\n" + verdict(check) +
                 "\n");
  return kDone;
}

}  // namespace grader::cli
