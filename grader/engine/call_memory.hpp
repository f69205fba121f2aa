// The one place through which the engine's calls reach an implementation: it remembers answers, so
// that checks with the same cases share calls, and it knows what was called before what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grader/contract/implementation.hpp"

namespace grader {

/// How a call reaches the implementation.
enum class CallMode : std::uint8_t {
  remembered,      ///< a call made before is answered from memory
  direct,          ///< every call is made, in whatever state the implementation is in
  isolated,        ///< in a fresh state of its own, or from the memory of such calls
  isolated_again,  ///< in a fresh state of its own, always made
};

/// Bounds of a CallMemory.
struct CallLimits {
  std::size_t bytes = std::size_t{64} << 20;  ///< for each of the two memories and the history
  std::size_t history = 4096;                 ///< calls that are kept in order
  /// Once this many calls have timed out, functions that timed out three times are not called any
  /// more and count as timed out.
  std::uint64_t timeouts = 6;
};

/// One call that reached the implementation.
struct MadeCall {
  FunctionId function = 0;
  std::shared_ptr<const Arguments> arguments;
  std::uint64_t sequence = 0;  ///< 1, 2, … in the order of the calls
  std::uint64_t state = 0;     ///< calls with the same number ran in one state after each other
};

/// Answers of one kind of call by function and arguments, oldest forgotten first.
class AnswerStore {
 public:
  explicit AnswerStore(std::size_t byte_limit) : byte_limit_(byte_limit) {}

  struct Answer {
    MadeCall call;
    Outcome outcome;
  };

  /// The answer to exactly this call (same bits), or nullptr. Valid until the next insert.
  [[nodiscard]] const Answer* find(std::uint64_t hash, FunctionId function,
                                   const Arguments& arguments) const;
  void insert(std::uint64_t hash, Answer answer);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t bytes = 0;
    Answer answer;
  };
  void forget_oldest();

  std::size_t byte_limit_;
  std::size_t bytes_ = 0;
  std::deque<std::shared_ptr<Entry>> entries_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<Entry>> by_hash_;
};

/// An Implementation in front of another one; see the top of this file.
class CallMemory final : public Implementation {
 public:
  explicit CallMemory(Implementation& implementation, CallLimits limits = {});

  void set_mode(CallMode mode) { mode_ = mode; }

  Outcome call(FunctionId function, const Arguments& arguments) override;
  void start_fresh() override;
  [[nodiscard]] std::uint64_t calls_made() const override { return implementation_.calls_made(); }

  /// Forgets which answers were used; call it before a case is judged.
  void begin_case() { used_.clear(); }
  /// Sequence numbers of the calls whose answers the current case has used, in order of use.
  [[nodiscard]] const std::vector<std::uint64_t>& used() const { return used_; }

  /// The kept calls that ran in the same state as call `sequence` and before it, oldest first.
  [[nodiscard]] std::vector<MadeCall> before(std::uint64_t sequence) const;
  /// The kept calls from `sequence` on.
  [[nodiscard]] std::vector<MadeCall> since(std::uint64_t sequence) const;
  /// Call `sequence`, or nothing when it is kept no longer.
  [[nodiscard]] std::optional<MadeCall> call_made(std::uint64_t sequence) const;
  /// The number that the next call gets.
  [[nodiscard]] std::uint64_t next_sequence() const { return sequence_ + 1; }

 private:
  Outcome make_call(FunctionId function, const std::shared_ptr<const Arguments>& arguments);
  Outcome call_through(AnswerStore& store, bool fresh, FunctionId function,
                       const Arguments& arguments);
  [[nodiscard]] bool times_out_always(FunctionId function) const;
  void remember_in_history(MadeCall call);

  Implementation& implementation_;
  CallLimits limits_;
  CallMode mode_ = CallMode::remembered;
  AnswerStore session_;
  AnswerStore isolated_;
  std::uint64_t sequence_ = 0;
  std::uint64_t state_ = 0;
  std::deque<MadeCall> history_;
  std::size_t history_bytes_ = 0;
  std::vector<std::uint64_t> used_;
  std::uint64_t timeouts_ = 0;
  std::map<FunctionId, std::uint64_t> timeouts_of_;
};

/// A hash of the function and every bit of the arguments.
std::uint64_t hash_of_call(FunctionId function, const Arguments& arguments);

/// Bytes that `value` occupies, roughly.
std::size_t bytes_of(const Value& value);

}  // namespace grader
