// One run of one check: RapidCheck draws the cases and shrinks the first that fails.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/engine/case_pool.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/verdict.hpp"

namespace grader {

/// Judges a case. `searching` is true for cases of the schedule and false while shrinking.
using JudgeCase = std::function<CaseVerdict(const Case&, bool searching)>;

/// A case that fails, with its verdict.
struct FailingCase {
  Case test_case;
  CaseVerdict verdict;
};

/// How much may be spent on making a failing case smaller, in cases judged.
struct ShrinkLimits {
  std::int64_t wrong_answer = 500;
  std::int64_t fault = 60;    ///< a crash: each costs a process
  std::int64_t time_out = 3;  ///< each costs a time limit
};

/// What a run found.
struct CheckRun {
  std::int64_t drawn = 0;         ///< cases of the schedule that were tried, fixed ones included
  std::int64_t drawn_random = 0;  ///< the random ones among them
  std::int64_t examples = 0;      ///< examples tried besides
  std::int64_t searched = 0;      ///< cases judged in searches besides
  std::int64_t judged = 0;        ///< verdict holds or violated
  std::int64_t witnessed = 0;     ///< judged cases that could have exposed a mistake
  std::int64_t blocked = 0;       ///< verdict not_judged
  std::map<std::string, std::int64_t> coverage;         ///< label → cases drawn
  std::map<std::string, std::int64_t> random_coverage;  ///< label → random cases drawn
  std::map<std::string, std::int64_t> blocked_by;       ///< check id → cases
  std::optional<FailingCase> original;                  ///< the first failing case
  std::optional<FailingCase> minimal;                   ///< the smallest failing alike
  std::optional<FailingCase> unwitnessed;               ///< the first case without a witness
  std::int64_t shrinks = 0;                             ///< cases judged while shrinking
  bool shrinking_cut = false;                           ///< the limit ended the shrinking
  std::vector<std::string> accepted_wrongly;
  std::vector<std::string> refused_wrongly;
};

/// The cases of a run besides the check's fixed ones.
struct RunPlan {
  /// Tried after the fixed cases. One that fails is a failure like any other; one that holds or
  /// cannot be judged counts for nothing, because examples are no sample of the check's inputs:
  /// most are so small that hardly any could show a mistake but their own.
  std::vector<Case> examples = {};
  std::int64_t random_cases = 0;  ///< drawn by `generate`, unless that is empty
  Generate generate = {};
  std::uint64_t seed = 0;
  CasePool* pool = nullptr;  ///< of cases that were drawn for other checks; null: none
};

/// Runs the fixed cases of `check`, the examples, and then the random cases. Random cases depend on
/// the seed and the name of the check's generator alone. Exceptions of `judge` and of the check's
/// functions pass through.
CheckRun run_check(const Check& check, const RunPlan& plan, const ShrinkLimits& limits,
                   const JudgeCase& judge);

/// The case of `plan` at `schedule`, drawn or from its pool.
Case draw_case_of(const Check& check, const RunPlan& plan, const Schedule& schedule);

/// The case that `generate` draws at `schedule`.
Case draw_case(const Check& check, const Generate& generate, std::uint64_t seed,
               const Schedule& schedule);

}  // namespace grader
