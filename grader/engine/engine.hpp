// Runs the checks of an assignment against an implementation with RapidCheck.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"
#include "grader/engine/case_pool.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

struct EngineOptions {
  std::uint64_t seed = 2026;
  std::int64_t cases = 500;               ///< random cases a check
  std::int64_t shrink_limit = 500;        ///< student executions spent on shrinking one failure
  std::int64_t fault_shrink_limit = 60;   ///< the same where each execution costs a child process
  std::int64_t timeout_shrink_limit = 3;  ///< the same where each execution costs a time limit
  std::int64_t fresh_cases = 100;  ///< random cases a check when every call gets a fresh state
  std::uint64_t timeouts = 6;      ///< after so many, functions that hang are not called again
  std::size_t memory_bytes = std::size_t{64} << 20;  ///< for remembered answers
  /// The check that answers for what a submission keeps between calls ("purity.repeatable"): a
  /// failure that vanishes in a fresh state is charged to it, not to the check that saw it. Empty
  /// or unknown: such a failure counts against the check that saw it.
  std::string state_check;
  /// Inputs that some submission failed on before, by check id: tried in every run of that check.
  /// They belong to its domain, and a right implementation passes them (grader/examples/).
  std::map<std::string, std::vector<Case>> examples = {};
  bool searches = true;  ///< run the searches that checks declare
};

/// Called before each check: the results of the checks before it, how many checks there are, its
/// id. The results may still change: what a later check finds may be charged to the state check.
using Progress = std::function<void(const std::vector<CheckResult>& ended, std::size_t count,
                                    const std::string& id)>;

/// The random cases that run_checks will draw for `checks`, as many as are kept; for whoever has
/// time to draw them before.
CasePool draw_cases(const std::vector<Check>& checks, const EngineOptions& options);

/// Runs `checks` in order and returns one result each, in the same order. Deterministic: the same
/// seed, checks and answers give the same results. Never throws for what the implementation does;
/// EnvironmentFault passes through. `drawn` holds cases that were drawn before; the results are the
/// same without.
std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const Contract& contract,
                                    Implementation& implementation, const EngineOptions& options,
                                    const Progress& progress = {}, CasePool drawn = CasePool());

/// Judges one stored case of `check` in a fresh state, as `replay` does.
CheckResult replay_case(const Check& check, const Contract& contract, const Case& test_case,
                        Implementation& implementation);

}  // namespace grader
