#include "grader/pipeline/grade_submission.hpp"

#include <chrono>
#include <ctime>
#include <exception>
#include <future>
#include <map>
#include <new>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/build/build.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/diagnosis/diagnose.hpp"
#include "grader/engine/engine.hpp"
#include "grader/examples/examples.hpp"
#include "grader/fault_location/locate_faults.hpp"
#include "grader/fault_location/unset_memory.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/intake/intake.hpp"
#include "grader/pipeline/configuration.hpp"
#include "grader/pipeline/kept_results.hpp"
#include "grader/pipeline/regrade_check.hpp"
#include "grader/pipeline/so_far.hpp"
#include "grader/sandbox/isolation.hpp"
#include "grader/sandbox/level.hpp"
#include "grader/scorecard/redaction.hpp"
#include "grader/scorecard/scoring.hpp"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kNoticeLimit = 600;
constexpr std::size_t kPrintedLimit = 64 << 10;  // the policy cuts it before that

// Adds the seconds of its life to an entry of the scorecard's timing.
class Stopwatch {
 public:
  Stopwatch(Scorecard& scorecard, std::string stage)
      : scorecard_(scorecard), stage_(std::move(stage)) {}
  ~Stopwatch() {
    const std::chrono::duration<double> taken = Clock::now() - start_;
    scorecard_.timing[stage_] += taken.count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Scorecard& scorecard_;
  std::string stage_;
  Clock::time_point start_ = Clock::now();
};

// The processor time of this thread, in seconds: what others run meanwhile does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Grading {
 public:
  Grading(const LoadedAssignment& assignment, const GradeOptions& options,
          std::filesystem::path workspace, const StepProgress& progress,
          const TakeSoFar& take_so_far, std::string check_alone = {})
      : assignment_(assignment),
        check_alone_(std::move(check_alone)),
        reuses_results_(options.reuses_results),
        workspace_(std::move(workspace)),
        progress_(progress),
        take_so_far_(take_so_far) {
    const Policy& policy = assignment.policy;
    scorecard_.assignment_id = policy.id;
    scorecard_.assignment_title = policy.title;
    scorecard_.assignment_digest = assignment.digest;
    scorecard_.grader_version = grader_version();
    scorecard_.seed = options.seed.value_or(policy.seed);
    scorecard_.cases = options.cases.value_or(policy.cases);
    scorecard_.hint_level = options.hint_level.value_or(policy.hint_level);
    enter_results(scorecard_, {});  // every check is not run until it has run
  }

  /// The flow: intake, build, host, checks. Ends early where the submission does.
  void run(const std::filesystem::path& path) {
    const Stopwatch watch(scorecard_, "total");
    try {
      scorecard_.status = flow(path);
    } catch (const UsageFault&) {
      throw;  // the question made no sense: nothing was graded
    } catch (const EnvironmentFault& fault) {
      end_without_score(ScorecardStatus::environment_error, fault.what(), fault.hint());
    } catch (const std::bad_alloc&) {
      end_without_score(ScorecardStatus::environment_error, "There is not enough memory.",
                        "Free some memory and grade again.");
    } catch (const std::system_error& fault) {
      end_without_score(
          ScorecardStatus::environment_error,
          std::string("The machine refused something that grading needs: ") + fault.what() + ".",
          "Free what it names (descriptors, processes, space) and grade again.");
    } catch (const std::exception& fault) {
      end_without_score(ScorecardStatus::internal_error, fault.what(),
                        "Please report it with the submission and the seed.");
    }
  }

  void end_without_score(ScorecardStatus status, const std::string& error,
                         const std::string& hint) {
    enter_results(scorecard_, {});
    scorecard_.diagnosis.clear();
    scorecard_.status = status;
    scorecard_.error = error;
    scorecard_.error_hint = hint;
  }

  /// The scorecard when nothing comes after `step`. `ended` are results that are not in it yet.
  [[nodiscard]] Scorecard so_far(const std::string& step,
                                 const std::vector<CheckResult>* ended = nullptr) const {
    Scorecard copy = scorecard_;
    if (ended != nullptr) enter_results(copy, *ended);
    copy.configuration = configuration();
    copy.timing["total"] = std::chrono::duration<double>(Clock::now() - began_).count();
    return unfinished(std::move(copy), step);
  }

  /// The scorecard, as much of it as the hint level tells.
  Scorecard finished() {
    if (kept_) return *std::move(kept_);
    scorecard_.configuration = configuration();
    const HintLevel level = scorecard_.hint_level;
    Scorecard result = redacted(std::move(scorecard_), level);
    if (!key_.empty() && is_verdict(result.status)) {
      KeptResults().keep(key_, result);
    }
    return result;
  }

 private:
  ScorecardStatus flow(const std::filesystem::path& path) {
    examples_ = examples_to_try();
    const auto submission = take_in_from(path);
    if (!submission) return ScorecardStatus::refused;
    if (reuses_results_ && find_kept(*submission)) return kept_->status;
    scorecard_.isolation = probe_isolation();
    if (std::string notice = isolation_notice(scorecard_.isolation); !notice.empty()) {
      scorecard_.notices.push_back(std::move(notice));
    }
    const std::vector<Check> checks = checks_to_run();
    const EngineOptions options = engine_options();
    // Meanwhile the compiler keeps another processor busy.
    std::future<CasePool> drawn =
        std::async(std::launch::async, [&] { return draw_cases(checks, options); });
    const BuildOutcome built = build_it(*submission);
    if (built.report.status != BuildStatus::built) return ScorecardStatus::not_built;
    check(*submission, built.shared_object, checks, options, drawn);
    return ScorecardStatus::graded;
  }

  // What the submission earned, as opposed to what the machine could not do.
  static bool is_verdict(ScorecardStatus status) {
    return status == ScorecardStatus::graded || status == ScorecardStatus::not_built;
  }

  bool find_kept(const Submission& submission) {
    // Nothing runs, so what the machine offers now does not matter, only what may be used of it.
    // The compiler is not asked for its version either: its stamp changes whenever that does.
    key_ = KeptResults::key(submission, configuration(), find_toolchain(assignment_).stamp,
                            name_of(isolation_limit()));
    kept_ = KeptResults().find(key_);
    if (kept_) say("unchanged: the kept result is shown");
    return kept_.has_value();
  }

  /// A step begins. `ended` are results that are not in the scorecard yet.
  void say(const std::string& step, const std::vector<CheckResult>* ended = nullptr) const {
    if (progress_) progress_(step);
    if (take_so_far_) take_so_far_(so_far(step, ended));
  }

  std::optional<Submission> take_in_from(const std::filesystem::path& path) {
    const Stopwatch watch(scorecard_, "intake");
    say("reading");
    Intake intake = take_in(path, assignment_.policy, workspace_ / "submission",
                            assignment_.directory / "contract");
    if (const auto* refused = std::get_if<Refused>(&intake)) {
      scorecard_.submission_id = refused->id;
      scorecard_.error = refused->reason;
      scorecard_.notices = refused->notices;
      return std::nullopt;
    }
    auto& submission = std::get<Submission>(intake);
    scorecard_.submission_id = submission.id;
    scorecard_.submission_digest = submission.digest;
    scorecard_.files = submission.files;
    scorecard_.notices = submission.notices;
    return std::move(submission);
  }

  BuildOutcome build_it(const Submission& submission) {
    const Stopwatch watch(scorecard_, "build");
    say("compiling");
    BuildOutcome built = build(submission, assignment_, workspace_ / "build");
    scorecard_.build = built.report;
    scorecard_.toolchain = built.toolchain;
    scorecard_.notices.insert(scorecard_.notices.end(), built.notices.begin(), built.notices.end());
    for (const auto& [stage, seconds] : built.timing) scorecard_.timing["build." + stage] = seconds;
    return built;
  }

  [[nodiscard]] EngineOptions engine_options() const {
    EngineOptions options;
    options.seed = scorecard_.seed;
    options.cases = scorecard_.cases;
    options.state_check = assignment_.judge->state_check;
    options.examples = examples_;
    return options;
  }

  void check(const Submission& submission, const std::filesystem::path& shared_object,
             const std::vector<Check>& checks, const EngineOptions& options,
             std::future<CasePool>& drawn) {
    const Judge& judge = *assignment_.judge;
    say("starting the sandbox");
    SandboxedImplementation implementation(judge.contract, shared_object,
                                           assignment_.policy.limits);
    const auto each = [&](const std::vector<CheckResult>& ended, std::size_t count,
                          const std::string& id) {
      say("checking " + id + " (" + std::to_string(ended.size() + 1) + " of " +
              std::to_string(count) + ")",
          &ended);
    };
    const Stopwatch watch(scorecard_, "checks");
    std::vector<CheckResult> results =
        run_checks(checks, judge.contract, implementation, options, each, drawn.get());
    find_lines(results, submission);
    tell_unset_memory(results);
    enter_results(scorecard_, std::move(results));
    scorecard_.printed = plain_text(implementation.printed(), kPrintedLimit);
    say("drawing figures");
    scorecard_.figures = figures_of(judge, implementation);
    if (scorecard_.score < scorecard_.max_score) name_mistakes(implementation);
  }

  [[nodiscard]] std::vector<Check> checks_to_run() const {
    const Judge& judge = *assignment_.judge;
    // The state check answers for what any other check finds, so it needs all of them, and each of
    // the others needs it.
    if (check_alone_.empty() || check_alone_ == judge.state_check) return judge.checks;
    std::vector<Check> chosen;
    for (const Check& check : judge.checks) {
      if (check.id == check_alone_ || check.id == judge.state_check) chosen.push_back(check);
    }
    return chosen;
  }

  /// What the assignment has learned, as far as it may be tried.
  std::map<std::string, std::vector<Case>> examples_to_try() {
    if (assignment_.examples.empty()) return {};
    const std::string name = (assignment_.directory / kExamplesFile).string();
    UsableExamples usable = usable_examples(
        examples_from_json(assignment_.examples, assignment_.policy.id, name), *assignment_.judge);
    scorecard_.notices.insert(scorecard_.notices.end(), usable.left_out.begin(),
                              usable.left_out.end());
    return std::move(usable.by_check);
  }

  void find_lines(std::vector<CheckResult>& results, const Submission& submission) {
    if (scorecard_.hint_level != HintLevel::full) return;  // it would not be told
    say("looking for the lines of faults", &results);
    const Stopwatch watch(scorecard_, "fault_location");
    try {
      const auto notices = locate_faults(results, submission, assignment_, workspace_ / "watched");
      scorecard_.notices.insert(scorecard_.notices.end(), notices.begin(), notices.end());
    } catch (const EnvironmentFault& fault) {
      // The grade stands without the lines.
      scorecard_.notices.push_back("The lines of faults could not be looked for: " +
                                   plain_line(fault.what(), kNoticeLimit));
    }
  }

  void name_mistakes(Implementation& implementation) {
    const Stopwatch watch(scorecard_, "diagnosis");
    say("looking for known mistakes");
    const double began = processor_seconds();
    scorecard_.diagnosis = diagnose(*assignment_.judge, implementation);
    scorecard_.timing["diagnosis.cpu"] = processor_seconds() - began;
  }

  // What the submission does, as far as it does something. One call that does not return in time is
  // enough.
  static std::vector<Figure> figures_of(const Judge& judge, Implementation& implementation) {
    std::vector<Figure> figures;
    for (const auto& make : judge.figures) {
      try {
        implementation.start_fresh();
        figures.push_back(make(implementation));
      } catch (const CallFault& fault) {
        if (fault.outcome.ending == Ending::timed_out) break;
      }
    }
    return figures;
  }

  void enter_results(Scorecard& scorecard, std::vector<CheckResult> results) const {
    enter_scoring(scorecard, score_results(assignment_.policy, std::move(results)));
    for (ScoredCheck& scored : scorecard.checks) {
      for (const Check& check : assignment_.judge->checks) {
        if (check.id == scored.result.id) scored.assertion = check.assertion;
      }
      if (scored.result.minimal || !scored.result.calls.empty()) {
        scored.replay = "attention-grader replay scorecard.json " + scored.result.id;
      }
    }
  }

  [[nodiscard]] std::string configuration() const {
    GradeOptions options;
    options.seed = scorecard_.seed;
    options.cases = scorecard_.cases;
    options.hint_level = scorecard_.hint_level;
    return configuration_digest(assignment_, options, scorecard_.toolchain);
  }

  const LoadedAssignment& assignment_;
  std::string check_alone_;  ///< id; empty: all are run
  bool reuses_results_;
  std::string key_;                ///< of the result to keep; empty: it is not kept
  std::optional<Scorecard> kept_;  ///< found instead of graded
  std::filesystem::path workspace_;
  const StepProgress& progress_;
  const TakeSoFar& take_so_far_;
  Clock::time_point began_ = Clock::now();
  std::map<std::string, std::vector<Case>> examples_;
  Scorecard scorecard_;
};

}  // namespace

Scorecard grade_submission(const std::filesystem::path& submission,
                           const LoadedAssignment& assignment, const GradeOptions& options,
                           const std::filesystem::path& workspace, const StepProgress& progress,
                           const TakeSoFar& take_so_far) {
  Grading grading(assignment, options, workspace, progress, take_so_far);
  grading.run(submission);
  return grading.finished();
}

Scorecard begun(const LoadedAssignment& assignment, const GradeOptions& options) {
  const StepProgress nobody;
  const TakeSoFar no_one;
  return Grading(assignment, options, {}, nobody, no_one).so_far("starting");
}

Scorecard ungraded(const LoadedAssignment& assignment, const std::string& error,
                   const std::string& hint) {
  const StepProgress nobody;
  const TakeSoFar no_one;
  Grading grading(assignment, {}, {}, nobody, no_one);
  grading.end_without_score(ScorecardStatus::environment_error, error, hint);
  return grading.finished();
}

Scorecard grade_check(const std::filesystem::path& submission, const std::string& check,
                      const LoadedAssignment& assignment, const GradeOptions& options,
                      const std::filesystem::path& workspace) {
  const StepProgress nobody;
  const TakeSoFar no_one;
  Grading grading(assignment, options, workspace, nobody, no_one, check);
  grading.run(submission);
  return grading.finished();
}

std::string grader_version() { return ATTENTION_GRADER_VERSION; }

}  // namespace grader
