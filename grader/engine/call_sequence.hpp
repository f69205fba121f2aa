// Finds the few earlier calls without which a failure does not happen: the evidence that a
// submission keeps something between calls.
#pragma once

#include <vector>

#include "grader/engine/call_memory.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/engine/verdict.hpp"

namespace grader {

/// A sequence of calls that starts in a fresh state and ends with those that the judge makes.
struct CallSequence {
  std::vector<RecordedCall> calls;
  /// True when the sequence failed again from a fresh state. False: the same calls answer
  /// differently from time to time; `calls` are then only those of the judge.
  bool reproduced = false;
  CaseVerdict verdict;  ///< of the last execution that failed, else the one given
};

/// Searches for a short sequence that makes `test_case` fail as `seen` did. Tries the calls that
/// preceded those used by `seen`, the last few first, and then leaves out what is not needed; at
/// most about `executions` executions of the sequence (far fewer for time-outs).
CallSequence find_call_sequence(const Check& check, const Contract& contract, const Case& test_case,
                                const CaseVerdict& seen, CallMemory& memory, int executions = 60);

}  // namespace grader
