// The order of events for one check:
//
//   run        the cases in the submission's current state, answers shared between checks
//   search     if all of them hold: further in the directions that the check declares
//   confirm    the smallest failing case once more, every call in a fresh state
//   if it fails there too: the verdict stands, as the fresh state shows it
//   if it holds there: something is kept between calls. The evidence is charged to the state
//              check, and this check runs again with every call in a fresh state; that verdict
//              counts. All later checks run that way at once.
//   explain    which parts of that case do not matter
//   decide     witnesses, blocked cases, coverage
#include "grader/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/engine/call_memory.hpp"
#include "grader/engine/call_sequence.hpp"
#include "grader/engine/check_run.hpp"
#include "grader/engine/search.hpp"
#include "grader/engine/shown_inputs.hpp"
#include "grader/engine/verdict.hpp"
#include "grader/engine/what_matters.hpp"

namespace grader {
namespace {

// Variations of the smallest failing case that must all fail before a part of it counts as free.
constexpr int kExplainDraws = 12;
constexpr int kFaultExplainDraws = 4;  // each may cost a process

/// What tells that the submission keeps something between calls.
struct StateFinding {
  std::string seen_by;  ///< id of the check
  CallSequence sequence;
};

/// Judges cases of one check in the ways that the order of events needs.
class Bench {
 public:
  Bench(const Check& check, CallMemory& memory) : check_(check), memory_(memory) {}

  /// In the state that the submission is in.
  CaseVerdict in_session(const Case& test_case) {
    memory_.set_mode(check_.bypasses_memory ? CallMode::direct : CallMode::remembered);
    return judge(test_case);
  }

  /// Every call in a fresh state. For a check on state itself, the case starts in a fresh one.
  CaseVerdict in_fresh_state(const Case& test_case) { return fresh(test_case, CallMode::isolated); }

  /// The same, without the memory of such calls.
  CaseVerdict in_fresh_state_again(const Case& test_case) {
    return fresh(test_case, CallMode::isolated_again);
  }

 private:
  CaseVerdict fresh(const Case& test_case, CallMode mode) {
    if (check_.bypasses_memory) memory_.start_fresh();
    memory_.set_mode(check_.bypasses_memory ? CallMode::direct : mode);
    return judge(test_case);
  }

  CaseVerdict judge(const Case& test_case) {
    memory_.begin_case();
    CaseVerdict verdict = judge_case(check_, test_case, memory_);
    verdict.calls = memory_.used();
    return verdict;
  }

  const Check& check_;
  CallMemory& memory_;
};

bool could_be_the_machine(const CaseVerdict& verdict) {
  if (!verdict.fault) return false;
  const Outcome& outcome = verdict.fault->outcome;
  return outcome.ending == Ending::timed_out ||
         (outcome.ending == Ending::crashed && outcome.signal == SIGKILL);
}

std::string count_of(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

void fill_counterexamples(CheckResult& result, const CheckRun& run) {
  const FailingCase& minimal = *run.minimal;
  result.status = status_of(minimal.verdict);
  result.message = minimal.verdict.judgement.message;
  if (minimal.verdict.fault) result.fault = describe(*minimal.verdict.fault);
  result.minimal = {minimal.test_case, minimal.verdict.judgement};
  if (!identical(run.original->test_case, minimal.test_case)) {
    result.original = {run.original->test_case, run.original->verdict.judgement};
  }
}

/// The check that owns most of the blocked cases; the first by name among equals.
std::string owner_of_blocked(const CheckRun& run) {
  const auto most =
      std::ranges::max_element(run.blocked_by, {}, [](const auto& entry) { return entry.second; });
  return most == run.blocked_by.end() ? "" : most->first;
}

/// A check is judged when a fifth of its cases can be: enough to show a mistake, and few enough
/// that a mistake of an earlier stage, which leaves some rows usable, does not cost this one too.
/// The cases of an assertion are valid and wrong ones; with fewer than half of them, one kind may
/// be missing altogether.
bool has_enough_judged(const Check& check, const CheckRun& run) {
  const std::int64_t divisor = check.assertion.empty() ? 5 : 2;
  return divisor * run.judged >= run.drawn;
}

void decide_without_failure(const Check& check, CheckResult& result, const CheckRun& run) {
  const bool has_witnesses = 2 * run.witnessed >= run.judged;
  // The few cases that a mistake of an earlier stage leaves may be those that show nothing.
  const bool is_mostly_blocked = 2 * run.judged < run.drawn;
  if (!has_enough_judged(check, run) || (is_mostly_blocked && !has_witnesses)) {
    result.status = CheckStatus::not_run;
    result.blocked_by = owner_of_blocked(run);
    result.message = "Could not be judged on " + count_of(run.blocked, run.drawn) +
                     " inputs, because " + result.blocked_by + " does not hold there.";
    return;
  }
  if (!has_witnesses) {
    const std::string& reason = run.unwitnessed->verdict.judgement.message;
    result.status = CheckStatus::failed;
    result.message = "The results could not have shown a mistake on " +
                     count_of(run.judged - run.witnessed, run.judged) + " inputs" +
                     (reason.empty() ? "." : ": " + reason);
    result.minimal = {run.unwitnessed->test_case, run.unwitnessed->verdict.judgement};
    return;
  }
  result.status = CheckStatus::passed;
}

CheckResult decide(const Check& check, const CheckRun& run) {
  if (run.drawn == 0) throw InternalFault("check " + check.id + " has no cases");
  CheckResult result;
  result.id = check.id;
  result.cases = run.judged;
  result.discards = run.blocked;
  result.witnessed = run.witnessed;
  result.examples = run.examples;
  result.searched = run.searched;
  result.coverage = run.coverage;
  result.shrinks = run.shrinks;
  result.shrinking_cut = run.shrinking_cut;
  result.accepted_wrongly = run.accepted_wrongly;
  result.refused_wrongly = run.refused_wrongly;
  if (run.minimal) {
    fill_counterexamples(result, run);
    choose_shown_inputs(check, result);
    return result;
  }
  for (const Quota& quota : check.quotas) {
    const auto found = run.random_coverage.find(quota.label);
    const std::int64_t reached = found == run.random_coverage.end() ? 0 : found->second;
    const double required = quota.minimum_share * static_cast<double>(run.drawn_random);
    if (!(static_cast<double>(reached) >= required)) result.coverage_missed.push_back(quota.label);
  }
  decide_without_failure(check, result, run);
  return result;
}

std::string sentence(const StateFinding& finding) {
  const std::string& function = finding.sequence.calls.back().function;
  if (finding.sequence.reproduced) {
    return "The answer of " + function +
           " depends on what was called before: with a fresh start the same call is answered "
           "otherwise. Nothing may be kept between calls (static or global variables, caches).";
  }
  return "The same call of " + function + " is not always answered alike: once it broke " +
         finding.seen_by +
         ", with a fresh start it did not. Something is kept between calls, left to chance, or "
         "read before it is set.";
}

std::int64_t random_cases_of(const Check& check, std::int64_t cases) {
  const auto share =
      static_cast<std::int64_t>(std::llround(check.share_of_cases * static_cast<double>(cases)));
  // Few cases are few, never none: a check without any would be neither right nor wrong.
  return check.share_of_cases > 0 ? std::max<std::int64_t>(share, 1) : share;
}

/// Runs all checks and keeps what they have in common.
class Session {
 public:
  Session(const Contract& contract, Implementation& implementation, const EngineOptions& options,
          CasePool drawn)
      : contract_(contract),
        options_(options),
        memory_(implementation,
                {.bytes = options.memory_bytes, .history = 4096, .timeouts = options.timeouts}),
        pool_(std::move(drawn)) {}

  CheckResult run(const Check& check, bool state_check_exists) {
    const bool charges_others = state_check_exists && check.id != options_.state_check;
    if (finding_ && charges_others) return run_in_fresh_states(check);

    Bench bench(check, memory_);
    const auto judge = [&](const Case& test_case, bool /*searching*/) {
      return bench.in_session(test_case);
    };
    CheckRun run = run_with_fallback(check, options_.cases, judge);
    if (!run.minimal && has_enough_judged(check, run)) search_beyond(check, run, judge);
    if (!run.minimal) return decide(check, run);

    CaseVerdict fresh = bench.in_fresh_state(run.minimal->test_case);
    if (fresh.fails()) {
      run.minimal->verdict = std::move(fresh);
      CheckResult result = decide(check, run);
      if (check.bypasses_memory) record_calls_of_judge(check, run, result);
      add_evidence(check, run, result,
                   [&](const Case& test_case) { return bench.in_session(test_case); });
      return result;
    }
    return explain_by_state(check, std::move(run), charges_others);
  }

  [[nodiscard]] const std::optional<StateFinding>& finding() const { return finding_; }

 private:
  /// The failure vanished in a fresh state.
  CheckResult explain_by_state(const Check& check, CheckRun run, bool charges_others) {
    const FailingCase& minimal = *run.minimal;
    CallSequence sequence =
        find_call_sequence(check, contract_, minimal.test_case, minimal.verdict, memory_);
    if (could_be_the_machine(minimal.verdict) && !sequence.reproduced) {
      // A time-out that cannot be brought about again may be the machine's; it costs nothing.
      return run_in_fresh_states(check);
    }
    StateFinding finding{check.id, std::move(sequence)};
    if (charges_others) {
      if (!finding_) finding_ = std::move(finding);
      return run_in_fresh_states(check);
    }
    run.minimal->verdict = finding.sequence.verdict;
    CheckResult result = decide(check, run);
    result.message = sentence(finding);
    result.calls = finding.sequence.calls;
    return result;
  }

  /// Every call in a fresh state; fewer cases, because each costs a process. A failing case counts
  /// when it fails twice.
  CheckResult run_in_fresh_states(const Check& check) {
    Bench bench(check, memory_);
    const auto judge = [&](const Case& test_case, bool searching) {
      CaseVerdict verdict = bench.in_fresh_state(test_case);
      if (!searching || !verdict.fails()) return verdict;
      return bench.in_fresh_state_again(test_case);
    };
    CheckRun run = run_with_fallback(check, std::min(options_.cases, options_.fresh_cases), judge);
    if (run.minimal) {
      CaseVerdict again = bench.in_fresh_state_again(run.minimal->test_case);
      if (again.fails()) {
        run.minimal->verdict = std::move(again);
      } else {
        run.minimal = run.original;  // which failed twice
      }
    }
    CheckResult result = decide(check, run);
    add_evidence(check, run, result,
                 [&](const Case& test_case) { return bench.in_fresh_state(test_case); });
    return result;
  }

  /// What is known of the smallest failing case besides its verdict.
  void add_evidence(const Check& check, const CheckRun& run, CheckResult& result,
                    const std::function<CaseVerdict(const Case&)>& judge) const {
    if (!run.minimal) return;
    const CaseVerdict& seen = run.minimal->verdict;
    // The call that did not return is the last that the judge made.
    if (seen.fault && !seen.calls.empty()) {
      if (const auto call = memory_.call_made(seen.calls.back())) {
        result.faulting_call = RecordedCall{contract_[call->function].name, *call->arguments};
      }
    }
    const int draws = seen.fault ? kFaultExplainDraws : kExplainDraws;
    result.minimal->explanation =
        what_matters(check, result.minimal->test_case, seen, options_.seed, judge, draws);
  }

  [[nodiscard]] ShrinkLimits shrink_limits() const {
    return {options_.shrink_limit, options_.fault_shrink_limit, options_.timeout_shrink_limit};
  }

  [[nodiscard]] RunPlan plan_of(const Check& check, std::int64_t cases) const {
    RunPlan plan{{}, random_cases_of(check, cases), check.generate, options_.seed, &pool_};
    const auto examples = options_.examples.find(check.id);
    if (examples != options_.examples.end()) plan.examples = examples->second;
    return plan;
  }

  /// Adds to `run`, in which every case holds, what the searches of its check find.
  void search_beyond(const Check& check, CheckRun& run, const JudgeCase& judge) {
    if (!options_.searches || check.searches.empty()) return;
    const RunPlan plan = plan_of(check, options_.cases);
    for (const Search& search : check.searches) {
      memory_.set_mode(CallMode::remembered);
      const SearchEnd end = search_further(check, search, plan, judge, memory_);
      run.searched += end.judged;
      if (!end.failing) continue;
      // The failing case as the only one of a run makes it smaller.
      Check alone = check;
      alone.fixed_cases.clear();
      CheckRun found =
          run_check(alone, {{*end.failing}, 0, {}, options_.seed, nullptr}, shrink_limits(), judge);
      if (!found.minimal) continue;  // it does not fail again: no evidence
      run.judged += found.judged;
      run.witnessed += found.witnessed;
      run.original = std::move(found.original);
      run.minimal = std::move(found.minimal);
      run.shrinks = found.shrinks;
      run.shrinking_cut = found.shrinking_cut;
      return;
    }
  }

  CheckRun run_with_fallback(const Check& check, std::int64_t cases, const JudgeCase& judge) const {
    const ShrinkLimits limits = shrink_limits();
    RunPlan plan = plan_of(check, cases);
    CheckRun run = run_check(check, plan, limits, judge);
    const bool blocked = !run.minimal && !has_enough_judged(check, run);
    if (!blocked || !check.generate_when_blocked) return run;
    Check plain = check;
    plain.fixed_cases.clear();
    plan = {{},
            std::max<std::int64_t>(plan.random_cases, 1),
            check.generate_when_blocked,
            options_.seed,
            &pool_};
    CheckRun second = run_check(plain, plan, limits, judge);
    const bool usable = second.minimal || has_enough_judged(check, second);
    return usable ? second : run;
  }

  /// Adds the calls that the judge makes on the minimal case, for a check on what calls leave
  /// behind: there the sequence is the counterexample.
  void record_calls_of_judge(const Check& check, const CheckRun& run, CheckResult& result) {
    const CallSequence sequence = find_call_sequence(check, contract_, run.minimal->test_case,
                                                     run.minimal->verdict, memory_, 1);
    result.calls = sequence.calls;
  }

  const Contract& contract_;
  const EngineOptions& options_;
  CallMemory memory_;
  mutable CasePool pool_;  // what it answers is the same with and without it
  std::optional<StateFinding> finding_;
};

/// Charges what was found to the state check.
void charge(CheckResult& result, const StateFinding& finding) {
  if (result.calls.empty()) result.calls = finding.sequence.calls;
  if (result.status != CheckStatus::passed && result.status != CheckStatus::not_run) return;
  result.status = CheckStatus::failed;
  result.blocked_by.clear();
  result.message = sentence(finding);
}

}  // namespace

CasePool draw_cases(const std::vector<Check>& checks, const EngineOptions& options) {
  CasePool pool;
  for (const Check& check : checks) {
    if (!check.generate) continue;
    const RunPlan plan{
        {}, random_cases_of(check, options.cases), check.generate, options.seed, &pool};
    for (std::int64_t index = 0; index < plan.random_cases && !pool.is_full(); ++index) {
      const Case drawn = draw_case_of(check, plan, {index, plan.random_cases});
      if (check.prepare) check.prepare(drawn);
    }
  }
  return pool;
}

std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const Contract& contract,
                                    Implementation& implementation, const EngineOptions& options,
                                    const Progress& progress, CasePool drawn) {
  const auto state_check = std::ranges::find(checks, options.state_check, &Check::id);
  Session session(contract, implementation, options, std::move(drawn));
  std::vector<CheckResult> results;
  results.reserve(checks.size());
  for (const Check& check : checks) {
    if (progress) progress(results, checks.size(), check.id);
    results.push_back(session.run(check, state_check != checks.end()));
  }
  if (session.finding() && state_check != checks.end()) {
    charge(results[static_cast<std::size_t>(state_check - checks.begin())], *session.finding());
  }
  return results;
}

CheckResult replay_case(const Check& check, const Contract& /*contract*/, const Case& test_case,
                        Implementation& implementation) {
  CallMemory memory(implementation);
  Bench bench(check, memory);
  const CaseVerdict verdict = bench.in_fresh_state_again(test_case);
  CheckResult result;
  result.id = check.id;
  const bool judged = verdict.judgement.verdict != Judgement::Verdict::not_judged;
  result.cases = judged ? 1 : 0;
  result.discards = judged ? 0 : 1;
  result.witnessed = judged && verdict.judgement.witnessed ? 1 : 0;
  result.message = verdict.judgement.message;
  result.minimal = {test_case, verdict.judgement};
  if (!judged) {
    result.status = CheckStatus::not_run;
    result.blocked_by = verdict.judgement.blocked_by;
    return result;
  }
  result.status = verdict.fails() ? status_of(verdict) : CheckStatus::passed;
  if (verdict.fault) result.fault = describe(*verdict.fault);
  choose_shown_inputs(check, result);
  return result;
}

}  // namespace grader
