// What the engine and the checks call: some implementation of the contract, near or far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/contract/value.hpp"

namespace grader {

/// How one call of a contract function ended. Everything except `returned` is the submission's
/// doing; faults of the machine are thrown as EnvironmentFault and never end up here.
enum class Ending : std::uint8_t {
  returned,   ///< `value` holds the result; its type is the declared one, its sizes may be wrong
  threw,      ///< an exception left the function; `message` holds what()
  crashed,    ///< killed by `signal` (SIGSEGV, SIGFPE, SIGABRT, …)
  timed_out,  ///< no answer before the deadline, by wall clock or by CPU time
  exited,     ///< the process ended by itself without an answer (exit(0) included)
  forbidden,  ///< stopped by the sandbox; `message` names the system call
  malformed,  ///< the answer was not a value of the declared type, or larger than allowed
};

/// The outcome of one call.
struct Outcome {
  Ending ending = Ending::returned;
  Value value = false;
  std::string message;  ///< bytes from the submission: neutralise before showing
  int signal = 0;
};

/// Index of a function in its Contract.
using FunctionId = std::size_t;
using Arguments = std::vector<Value>;

/// An implementation of the contract. Adapters: in process (student at home, reference,
/// misconception models), through the sandbox channel (submissions), memoising (engine).
class Implementation {
 public:
  virtual ~Implementation() = default;
  Implementation() = default;
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  /// Calls function `function` of the contract. `arguments` have the declared types.
  /// Throws EnvironmentFault when the call could not be made for reasons that are not the
  /// implementation's.
  virtual Outcome call(FunctionId function, const Arguments& arguments) = 0;

  /// Makes the next call start from a state no earlier call has touched (a fresh process).
  virtual void start_fresh() {}

  /// Calls that reached the implementation so far (memoised answers do not count).
  [[nodiscard]] virtual std::uint64_t calls_made() const { return 0; }
};

}  // namespace grader
