// A submission behind the sandbox, as an Implementation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/contract/implementation.hpp"

namespace grader {

namespace host {
class Host;
struct Ended;
}  // namespace host

/// The program attention-grader-host that belongs to this program. Throws EnvironmentFault when it
/// is missing.
std::filesystem::path default_host_program();

/// Calls the shared object of a submission in a process of its own. One box serves all calls; the
/// process in it is kept from call to call and replaced after a crash, a timeout or start_fresh().
///
/// What can end a call besides a result: see Ending. `message` says more where more is known:
/// what() of an exception, the limit that was exceeded, the system call that was refused, "while it
/// was being loaded" when no function was reached.
///
/// A function that took most of its memory and failed three times is not called any more, once that
/// has happened six times in all: its calls end as the last one did. Filling memory takes so long
/// that one submission could hold up a batch for minutes.
///
/// Use from one thread only, the one that made it; its end is the end of the box.
class SandboxedImplementation : public Implementation {
 public:
  /// Makes the box; the submission is loaded with the first call. `contract` outlives this object.
  /// Throws EnvironmentFault.
  SandboxedImplementation(const Contract& contract, std::filesystem::path submission,
                          const Limits& limits,
                          std::filesystem::path host_program = default_host_program());
  ~SandboxedImplementation() override;

  Outcome call(FunctionId function, const Arguments& arguments) override;
  void start_fresh() override;
  [[nodiscard]] std::uint64_t calls_made() const override { return calls_made_; }

  /// What the submission wrote to stdout and stderr so far, the first limits.output_shown bytes.
  [[nodiscard]] const std::string& printed() const { return printed_; }
  /// Processor time of all its processes that have ended, in seconds. A call that got no answer in
  /// time counts as its whole time limit.
  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }
  /// Processes started for the submission so far.
  [[nodiscard]] std::uint64_t processes_started() const { return processes_started_; }

 private:
  void launch();
  /// How a function used its memory up.
  struct Exhaustion {
    std::uint64_t count = 0;
    Outcome last;
  };

  Outcome call_in_child(FunctionId function, const Arguments& arguments);
  Outcome made_call(FunctionId function, const Arguments& arguments);
  [[nodiscard]] const Outcome* known_exhaustion(FunctionId function) const;
  /// Counts a call that failed after it had taken most of its memory.
  void note_exhaustion(FunctionId function, const Outcome& outcome);
  bool ensure_child();
  Outcome outcome_of_answer(FunctionId function);
  Outcome outcome_of_end(const host::Ended& ended);
  Outcome end_late_call();
  /// Waits for a child that was killed or has died; EnvironmentFault when it does not go away.
  host::Ended reap_child();
  void charge(const host::Ended& ended);

  const Contract& contract_;
  std::filesystem::path submission_;
  std::filesystem::path host_program_;
  Limits limits_;
  std::unique_ptr<host::Host> host_;
  std::vector<unsigned char> request_;
  std::vector<unsigned char> answer_;
  std::string printed_;
  double cpu_seconds_ = 0;
  std::uint64_t calls_made_ = 0;
  std::uint64_t processes_started_ = 0;
  bool child_was_called_ = false;
  std::uint64_t peak_memory_ = 0;  ///< of the process that ended during the latest call, or 0
  std::map<FunctionId, Exhaustion> exhaustions_;
};

}  // namespace grader
