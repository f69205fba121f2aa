#include "grader/fault_location/locate_faults.hpp"

#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/build/watched_build.hpp"
#include "grader/fault_location/replayer.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Faults with the same function and the same ending have one cause as far as anybody knows.
using FaultKind = std::pair<std::string, std::string>;
using Calls = std::map<FaultKind, const RecordedCall*>;
using Locations = std::map<FaultKind, FaultLocation>;

FaultKind kind_of(const CheckResult& result) {
  return {result.fault->function, result.fault->kind};
}

/// What shows where the call of `result` went wrong. Nothing for an exit or a forbidden system
/// call, which have names of their own.
std::optional<Watch> watch_for(const CheckResult& result) {
  if (!result.fault) return std::nullopt;
  if (result.status == CheckStatus::crashed && result.fault->kind.starts_with("SIG")) {
    return Watch::faults;
  }
  if (result.status == CheckStatus::timed_out) return Watch::steps;
  return std::nullopt;
}

/// At most so many calls are made again: each may take a limit on time.
std::size_t most_replays(Watch watch) { return watch == Watch::faults ? 4 : 2; }

/// One call for each kind of fault that `watch` is for.
Calls calls_for(Watch watch, const std::vector<CheckResult>& results) {
  Calls calls;
  for (const CheckResult& result : results) {
    // A function that hung too often is not called any more: the last call was another's then.
    const bool is_known = watch_for(result) == watch && result.faulting_call &&
                          result.faulting_call->function == result.fault->function;
    if (is_known && calls.size() < most_replays(watch)) {
      calls.try_emplace(kind_of(result), &*result.faulting_call);
    }
  }
  return calls;
}

}  // namespace

std::vector<std::string> locate_faults(std::vector<CheckResult>& results,
                                       const Submission& submission,
                                       const LoadedAssignment& assignment,
                                       const fs::path& workspace) try {
  std::vector<std::string> notices;
  Locations found;
  for (const Watch watch : {Watch::faults, Watch::steps}) {
    const Calls calls = calls_for(watch, results);
    if (calls.empty() || !layers().namespaces) continue;
    const fs::path folder = workspace / (watch == Watch::faults ? "faults" : "steps");
    const auto program = build_watched(submission, assignment, watch, folder);
    if (!program) {
      notices.emplace_back(
          "The lines of some faults are unknown: the submission could not be compiled again, with "
          "what shows them, within the limits of a build.");
      continue;
    }
    Replayer replayer(submission, assignment.judge->contract, watch, *program, folder);
    for (const auto& [kind, call] : calls) {
      if (auto location = replayer.replay(*call)) found.emplace(kind, std::move(*location));
    }
  }
  for (CheckResult& result : results) {
    if (!watch_for(result)) continue;
    const auto location = found.find(kind_of(result));
    if (location == found.end()) continue;
    result.fault->file = location->second.file;
    result.fault->line = location->second.line;
    result.fault->access = location->second.access;
  }
  return notices;
} catch (const std::system_error& fault) {
  throw EnvironmentFault(std::string("the machine refused something: ") + fault.what(),
                         "Free what it names (descriptors, processes, space) and grade again.");
}

}  // namespace grader
