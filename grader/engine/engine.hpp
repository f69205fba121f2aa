// Runs the checks of an assignment against an implementation with RapidCheck.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

struct EngineOptions {
  std::uint64_t seed = 2026;
  std::int64_t cases = 500;               ///< random cases a check
  std::int64_t shrink_limit = 500;        ///< student executions spent on shrinking one failure
  std::int64_t fault_shrink_limit = 60;   ///< the same where each execution costs a child process
  std::int64_t timeout_shrink_limit = 6;  ///< the same where each execution costs a time limit
};

/// Called before each check, for progress: index, count, id.
using Progress = std::function<void(std::size_t, std::size_t, const std::string&)>;

/// Runs `checks` in order and returns one result each, in the same order. Deterministic: the same
/// seed, checks and answers give the same results. Never throws for what the implementation does;
/// EnvironmentFault passes through.
std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const Contract& contract,
                                    Implementation& implementation, const EngineOptions& options,
                                    const Progress& progress = {});

/// Judges one stored case of `check` in a fresh state, as `replay` does.
CheckResult replay_case(const Check& check, const Contract& contract, const Case& test_case,
                        Implementation& implementation);

}  // namespace grader
