#include "grader/engine/call_sequence.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace grader {
namespace {

constexpr std::size_t kLongestPrefix = 256;
constexpr std::size_t kStartingPoints = 4;  // of the calls that the judge used
constexpr int kExecutionsOfTimeouts = 3;

class SequenceSearch {
 public:
  SequenceSearch(const Check& check, const Case& test_case, const CaseVerdict& seen,
                 CallMemory& memory, int executions)
      : check_(check), test_case_(test_case), seen_(seen), memory_(memory), left_(executions) {}

  /// Runs `prefix` and then the judge in one fresh state.
  bool fails_after(const std::vector<MadeCall>& prefix) {
    if (left_ <= 0) return false;
    --left_;
    memory_.set_mode(CallMode::direct);
    memory_.start_fresh();
    for (const MadeCall& call : prefix) memory_.call(call.function, *call.arguments);
    memory_.begin_case();
    const std::uint64_t first = memory_.next_sequence();
    CaseVerdict verdict = judge_case(check_, test_case_, memory_);
    judge_calls_ = memory_.since(first);
    if (!fails_alike(verdict, seen_)) return false;
    last_failure_ = std::move(verdict);
    return true;
  }

  /// Leaves out what is not needed, the larger pieces first.
  std::vector<MadeCall> minimise(std::vector<MadeCall> prefix) {
    for (std::size_t piece = prefix.size() / 2; piece >= 1; piece /= 2) {
      std::size_t first = 0;
      while (first < prefix.size() && left_ > 0) {
        std::vector<MadeCall> shorter = prefix;
        const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(first);
        const auto length = std::min(piece, prefix.size() - first);
        shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
        if (fails_after(shorter)) {
          prefix = std::move(shorter);
        } else {
          first += piece;
        }
      }
    }
    return prefix;
  }

  [[nodiscard]] const CaseVerdict& last_failure() const { return last_failure_; }
  [[nodiscard]] const std::vector<MadeCall>& judge_calls() const { return judge_calls_; }

 private:
  const Check& check_;
  const Case& test_case_;
  const CaseVerdict& seen_;
  CallMemory& memory_;
  int left_;
  CaseVerdict last_failure_;
  std::vector<MadeCall> judge_calls_;
};

void append(std::vector<RecordedCall>& recorded, const Contract& contract,
            const std::vector<MadeCall>& calls) {
  for (const MadeCall& call : calls) {
    recorded.push_back({contract[call.function].name, *call.arguments});
  }
}

}  // namespace

CallSequence find_call_sequence(const Check& check, const Contract& contract, const Case& test_case,
                                const CaseVerdict& seen, CallMemory& memory, int executions) {
  const bool hangs = seen.fault && seen.fault->outcome.ending == Ending::timed_out;
  // The history moves on with every execution, so take what came before first.
  std::vector<std::vector<MadeCall>> histories;
  for (const std::uint64_t sequence : seen.calls) {
    if (histories.size() == kStartingPoints) break;
    histories.push_back(memory.before(sequence));
  }

  SequenceSearch search(check, test_case, seen, memory, hangs ? kExecutionsOfTimeouts : executions);
  std::vector<MadeCall> prefix;
  bool found = search.fails_after(prefix);
  for (std::size_t length = 1; !found && length <= kLongestPrefix; length *= 2) {
    for (const std::vector<MadeCall>& history : histories) {
      // A history shorter than half the length was tried whole already.
      if (history.empty() || history.size() <= length / 2) continue;
      const auto taken = static_cast<std::ptrdiff_t>(std::min(length, history.size()));
      prefix.assign(history.end() - taken, history.end());
      found = search.fails_after(prefix);
      if (found) break;
    }
  }

  CallSequence sequence;
  sequence.reproduced = found;
  sequence.verdict = seen;
  if (found) {
    prefix = search.minimise(std::move(prefix));
    sequence.verdict = search.last_failure();
    append(sequence.calls, contract, prefix);
  }
  append(sequence.calls, contract, search.judge_calls());
  return sequence;
}

}  // namespace grader
