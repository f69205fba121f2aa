// What judging one case came to, whether the call returned or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

/// The verdict on one case.
struct CaseVerdict {
  Judgement judgement;               ///< for a fault: violated, with a message that names the fault
  std::optional<CallFault> fault;    ///< the call that did not return
  std::vector<std::uint64_t> calls;  ///< sequence numbers of the calls used (CallMemory)

  [[nodiscard]] bool fails() const { return judgement.verdict == Judgement::Verdict::violated; }
};

/// Judges `test_case`; a CallFault becomes a verdict, every other exception passes through.
CaseVerdict judge_case(const Check& check, const Case& test_case, Implementation& implementation);

/// True when both fail and in the same way: a wrong answer, or the same function ending alike.
/// While shrinking, only such candidates count, so that a crash stays a crash.
bool fails_alike(const CaseVerdict& left, const CaseVerdict& right);

/// The status that a failing verdict gives its check.
CheckStatus status_of(const CaseVerdict& verdict);

/// The fault of a verdict for the scorecard.
Fault describe(const CallFault& fault);

}  // namespace grader
