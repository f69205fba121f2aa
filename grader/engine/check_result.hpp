// What a check found out about one submission.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/engine/check.hpp"

namespace grader {

enum class CheckStatus : std::uint8_t { passed, failed, crashed, timed_out, not_run };

/// Why a call did not return (CheckStatus crashed, timed_out, and failed by exception or answer).
struct Fault {
  std::string kind;  ///< "SIGSEGV", "exception", "exit", "time limit", "system call socket", …
  std::string function;
  std::string message;
  std::string file;  ///< empty when unknown
  std::int64_t line = 0;
  std::string access;
};

/// An input on which the check fails and what was seen there.
struct Counterexample {
  Case test_case;
  Judgement judgement;
  std::string explanation = {};  ///< which parts of the input do not matter, or empty
};

/// One call of a sequence (purity: the state that earlier calls left behind).
struct RecordedCall {
  std::string function;
  Arguments arguments;
};

struct CheckResult {
  std::string id;
  CheckStatus status = CheckStatus::not_run;
  std::string blocked_by;      ///< for not_run: the check whose failure made this one unjudgeable
  std::int64_t cases = 0;      ///< cases judged (fixed and random, shrinking not counted)
  std::int64_t examples = 0;   ///< inputs that failed before, tried besides
  std::int64_t searched = 0;   ///< cases judged in searches besides
  std::int64_t discards = 0;   ///< cases not judged because an upstream stage was unusable
  std::int64_t witnessed = 0;  ///< judged cases that could have exposed a mistake
  std::map<std::string, std::int64_t> coverage;  ///< label → cases
  std::vector<std::string> coverage_missed;      ///< quotas not reached
  std::string message;                           ///< one sentence for people
  std::optional<Fault> fault;
  /// The call that did not return in the minimal case, where it is still known.
  std::optional<RecordedCall> faulting_call;
  std::optional<Counterexample> minimal;
  std::optional<Counterexample> original;
  std::vector<RecordedCall> calls;  ///< for purity.repeatable
  std::int64_t shrinks = 0;
  bool shrinking_cut = false;                 ///< the cap on shrinking was reached
  std::vector<std::string> accepted_wrongly;  ///< assertion checks: labels of wrong cases accepted
  std::vector<std::string> refused_wrongly;   ///< assertion checks: labels of valid cases refused
};

/// False for a check that was not tried on a single case: grading ended before it.
[[nodiscard]] inline bool was_run(const CheckResult& result) {
  return result.status != CheckStatus::not_run || result.cases + result.discards > 0;
}

}  // namespace grader
