#include "grader/host/escapes.hpp"

#include "grader/base/fault.hpp"
#include "grader/host/escape_list.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/sandbox/support_file.hpp"

namespace grader {
namespace {

std::string stopper(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::returned: return "refused";
    case Ending::forbidden: return "system call " + outcome.message;
    case Ending::crashed: return "signal " + std::to_string(outcome.signal);
    case Ending::timed_out: return "time limit";
    case Ending::threw:
    case Ending::exited:
    case Ending::malformed: return outcome.message;
  }
  throw InternalFault("stopper: unknown ending");
}

}  // namespace

std::filesystem::path escape_probes_file() { return support_file("attention-grader-escapes.so"); }

std::vector<EscapeAttempt> try_escapes() {
  const Type integer{Kind::integer, {}};
  const Contract contract{{"probe", {{"number", integer}}, integer}};
  SandboxedImplementation sandbox(contract, escape_probes_file(), Limits{});
  std::vector<EscapeAttempt> attempts;
  for (std::size_t index = 0; index < host::kEscapes.size(); ++index) {
    sandbox.start_fresh();
    const Outcome outcome = sandbox.call(0, {static_cast<std::int64_t>(index)});
    EscapeAttempt attempt;
    attempt.name = host::kEscapes[index];
    attempt.succeeded =
        outcome.ending == Ending::returned && std::get<std::int64_t>(outcome.value) != 0;
    if (!attempt.succeeded) {
      attempt.stopped_by = stopper(outcome);
    }
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

}  // namespace grader
