#include "grader/pipeline/replay.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/build/build.hpp"
#include "grader/engine/engine.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/intake/intake.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

void require_assignment(const Scorecard& scorecard, const LoadedAssignment& assignment) {
  if (scorecard.assignment_id != assignment.policy.id) {
    throw UsageFault("The scorecard is of assignment " + scorecard.assignment_id + ", not of " +
                         assignment.policy.id + ".",
                     "Name the folder of its assignment with --assignment.");
  }
  if (scorecard.assignment_digest != assignment.digest) {
    throw UsageFault(
        "The scorecard was made with another version of assignment " + assignment.policy.id + ".",
        "Use the version that it was graded with, or grade the submission again.");
  }
}

bool can_be_replayed(const ScoredCheck& check) {
  return check.result.minimal || !check.result.calls.empty();
}

std::string replayable(const Scorecard& scorecard) {
  std::string ids;
  for (const ScoredCheck& check : scorecard.checks) {
    if (can_be_replayed(check)) ids += (ids.empty() ? "" : ", ") + check.result.id;
  }
  return ids.empty() ? "This scorecard holds nothing to replay." : "You can replay " + ids + ".";
}

const ScoredCheck& stored_check(const Scorecard& scorecard, const std::string& id) {
  std::vector<std::string> ids;
  for (const ScoredCheck& check : scorecard.checks) ids.push_back(check.result.id);
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) {
    throw UsageFault("There is no check " + id + ".", suggestion(id, ids) + replayable(scorecard));
  }
  const ScoredCheck& check = scorecard.checks[static_cast<std::size_t>(found - ids.begin())];
  if (can_be_replayed(check)) return check;
  if (check.result.status == CheckStatus::passed) {
    throw UsageFault("Check " + id + " passed: it has no failing input.", replayable(scorecard));
  }
  if (scorecard.hint_level != HintLevel::full) {
    throw UsageFault("The scorecard does not hold the input of " + id + ": it tells no more than " +
                         std::string(name_of(scorecard.hint_level)) + ".",
                     "Grade the submission again with --hint-level full.");
  }
  throw UsageFault("Check " + id + " has no failing input: it was not run.", replayable(scorecard));
}

Submission take_in_graded(const Scorecard& scorecard, const ReplayRequest& request,
                          const LoadedAssignment& assignment, const fs::path& workspace) {
  Intake intake = take_in(request.submission, assignment.policy, workspace / "submission");
  if (const auto* refused = std::get_if<Refused>(&intake)) {
    throw UsageFault("The submission is not accepted: " + refused->reason,
                     "Name the submission that was graded.");
  }
  auto& submission = std::get<Submission>(intake);
  if (!request.is_changed && submission.digest != scorecard.submission_digest) {
    throw UsageFault(request.submission.string() +
                         " is not what this scorecard was made from: its content differs.",
                     "Grade it to get its own scorecard, or add --changed to run the stored input "
                     "on it all the same.");
  }
  return std::move(submission);
}

fs::path built_object(const Submission& submission, const LoadedAssignment& assignment,
                      const fs::path& workspace) {
  const BuildOutcome built = build(submission, assignment, workspace / "build");
  if (built.report.status != BuildStatus::built) {
    throw UsageFault("The submission does not compile.",
                     "`attention-grader grade` shows what the compiler says.");
  }
  return built.shared_object;
}

std::string in_words(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::returned: return "returned a value";
    case Ending::threw: return "threw an exception";
    case Ending::crashed: return "crashed";
    case Ending::timed_out: return "did not return in time";
    case Ending::exited: return "ended the process";
    case Ending::forbidden: return "did what the sandbox forbids";
    case Ending::malformed: break;
  }
  return "returned something that is not a value of its type";
}

bool answered_alike(const Outcome& left, const Outcome& right) {
  if (left.ending != right.ending) return false;
  return left.ending != Ending::returned || identical(left.value, right.value);
}

class FunctionIds {
 public:
  explicit FunctionIds(const Contract& contract) : contract_(contract) {}

  FunctionId operator()(const std::string& name) const {
    const auto found = std::ranges::find(contract_, name, &Function::name);
    if (found == contract_.end()) {
      throw UsageFault(
          "The scorecard calls " + name + ", which the assignment's contract does not have.",
          "Grade the submission again to get a new scorecard.");
    }
    return static_cast<FunctionId>(std::distance(contract_.begin(), found));
  }

 private:
  const Contract& contract_;
};

// What call `index` of the sequence answered there, and what it answers alone.
void show_difference(CheckResult& result, std::size_t index, const Outcome& in_sequence,
                     const Outcome& alone) {
  const std::string& function = result.calls[index].function;
  result.status = CheckStatus::failed;
  const std::string call = "Call " + std::to_string(index + 1) + ", " + function + ", ";
  if (in_sequence.ending == alone.ending) {
    result.message = call + "answers otherwise after the calls before it than alone in a fresh " +
                     "process (shown as expected).";
  } else {
    result.message = call + in_words(in_sequence) + " after the calls before it; alone in a " +
                     "fresh process it " + in_words(alone) + ".";
  }
  result.calls.resize(index + 1);
  Counterexample seen;
  seen.judgement.verdict = Judgement::Verdict::violated;
  if (in_sequence.ending == Ending::returned) {
    seen.judgement.returned = {{function, in_sequence.value}};
  }
  if (alone.ending == Ending::returned) seen.judgement.expected = {{function, alone.value}};
  result.minimal = std::move(seen);
}

// The stored calls in one process, then each of them alone in a fresh one: the first that answers
// otherwise is shown.
CheckResult repeat_calls(const CheckResult& stored, const Contract& contract,
                         Implementation& implementation) {
  const FunctionIds id_of(contract);
  CheckResult result = stored;
  result.original.reset();
  result.minimal.reset();
  std::vector<Outcome> in_sequence;
  implementation.start_fresh();
  for (const RecordedCall& call : stored.calls) {
    in_sequence.push_back(implementation.call(id_of(call.function), call.arguments));
  }
  for (std::size_t index = 0; index < stored.calls.size(); ++index) {
    const RecordedCall& call = stored.calls[index];
    implementation.start_fresh();
    const Outcome alone = implementation.call(id_of(call.function), call.arguments);
    if (answered_alike(in_sequence[index], alone)) continue;
    show_difference(result, index, in_sequence[index], alone);
    return result;
  }
  result.status = CheckStatus::passed;
  result.message = "Every call answers after the others as it does alone.";
  return result;
}

CheckResult run_stored(const ScoredCheck& stored, const LoadedAssignment& assignment,
                       Implementation& implementation) {
  const Judge& judge = *assignment.judge;
  const auto check = std::ranges::find(judge.checks, stored.result.id, &Check::id);
  if (check == judge.checks.end()) {
    throw InternalFault("check " + stored.result.id + " is not in the judge module");
  }
  if (stored.result.minimal) {
    CheckResult result =
        replay_case(*check, judge.contract, stored.result.minimal->test_case, implementation);
    result.shrinks = stored.result.shrinks;
    result.shrinking_cut = stored.result.shrinking_cut;
    const bool fails = result.status != CheckStatus::passed;
    if (fails || stored.result.calls.empty()) return result;
  }
  return repeat_calls(stored.result, judge.contract, implementation);
}

}  // namespace

ScoredCheck replay(const Scorecard& scorecard, const ReplayRequest& request,
                   const LoadedAssignment& assignment, const fs::path& workspace,
                   const StepProgress& progress) {
  require_assignment(scorecard, assignment);
  ScoredCheck check = stored_check(scorecard, request.check);
  const Submission submission = take_in_graded(scorecard, request, assignment, workspace);
  if (progress) progress("compiling");
  const fs::path object = built_object(submission, assignment, workspace);
  if (progress) progress("running " + request.check);
  SandboxedImplementation implementation(assignment.judge->contract, object,
                                         assignment.policy.limits);
  check.result = run_stored(check, assignment, implementation);
  check.points = check.result.status == CheckStatus::passed ? check.max_points : 0;
  return check;
}

fs::path kept_submission(const fs::path& scorecard) {
  const fs::path kept = scorecard.parent_path() / "submission";
  std::error_code error;
  if (!fs::is_directory(kept, error)) {
    throw UsageFault(
        "The graded submission is not beside the scorecard.",
        "Name it: attention-grader replay " + scorecard.string() + " CHECK SUBMISSION.");
  }
  // A single file may have been handed in under any name, which a folder may not.
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kept)) files.push_back(entry.path());
  const bool is_single = files.size() == 1 && fs::is_regular_file(files.front(), error);
  return is_single ? files.front() : kept;
}

}  // namespace grader
