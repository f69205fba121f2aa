#include "grader/engine/verdict.hpp"

#include <cstring>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

constexpr std::size_t kMessageLimit = 400;

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

std::string explained_signal(int signal) {
  const char* description = sigdescr_np(signal);
  return description != nullptr ? signal_name(signal) + ": " + description : signal_name(signal);
}

std::string with_message(const std::string& sentence, const std::string& message) {
  if (message.empty()) return sentence + ".";
  return sentence + ": " + message;
}

/// `message` without the function's own name in front, which the sentence says already.
std::string without_name(std::string message, const std::string& function) {
  const std::string prefix = function + ": ";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return message;
}

std::string sentence(const CallFault& fault) {
  const Outcome& outcome = fault.outcome;
  const std::string message =
      without_name(plain_line(outcome.message, kMessageLimit), fault.function);
  switch (outcome.ending) {
    case Ending::returned: break;
    case Ending::threw: return with_message(fault.function + " threw an exception", message);
    case Ending::crashed:
      return fault.function + " crashed (" + explained_signal(outcome.signal) + ").";
    case Ending::timed_out: return fault.function + " did not return within the time limit.";
    case Ending::exited:
      return fault.function + " ended the whole program instead of returning a result.";
    case Ending::forbidden:
      return with_message(fault.function + " asked the system for something that is not allowed",
                          message);
    case Ending::malformed:
      return with_message(fault.function + " returned something that cannot be read as its result",
                          message);
  }
  throw InternalFault("a call that returned was reported as a fault: " + fault.function);
}

std::string kind_of_fault(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::returned: break;
    case Ending::threw: return "exception";
    case Ending::crashed: return signal_name(outcome.signal);
    case Ending::timed_out: return "time limit";
    case Ending::exited: return "exit";
    case Ending::forbidden:
      return outcome.message.empty() ? "system call"
                                     : "system call " + plain_line(outcome.message, kMessageLimit);
    case Ending::malformed: return "malformed answer";
  }
  throw InternalFault("a call that returned was reported as a fault");
}

}  // namespace

CaseVerdict judge_case(const Check& check, const Case& test_case, Implementation& implementation) {
  CaseVerdict verdict;
  try {
    verdict.judgement = check.judge(test_case, implementation);
  } catch (const CallFault& fault) {
    verdict.judgement.verdict = Judgement::Verdict::violated;
    verdict.judgement.message = sentence(fault);
    verdict.fault = fault;
  }
  return verdict;
}

bool fails_alike(const CaseVerdict& left, const CaseVerdict& right) {
  if (!left.fails() || !right.fails()) return false;
  if (left.fault.has_value() != right.fault.has_value()) return false;
  if (!left.fault) return true;
  return left.fault->function == right.fault->function &&
         left.fault->outcome.ending == right.fault->outcome.ending &&
         left.fault->outcome.signal == right.fault->outcome.signal;
}

CheckStatus status_of(const CaseVerdict& verdict) {
  if (!verdict.fails()) throw InternalFault("a verdict that does not fail has no failing status");
  if (!verdict.fault) return CheckStatus::failed;
  switch (verdict.fault->outcome.ending) {
    case Ending::returned:
    case Ending::threw:
    case Ending::malformed: return CheckStatus::failed;
    case Ending::crashed:
    case Ending::exited:
    case Ending::forbidden: return CheckStatus::crashed;
    case Ending::timed_out: return CheckStatus::timed_out;
  }
  throw InternalFault("unknown ending of a call");
}

Fault describe(const CallFault& fault) {
  return {.kind = kind_of_fault(fault.outcome),
          .function = fault.function,
          .message = plain_line(fault.outcome.message, kMessageLimit),
          .file = {},
          .line = 0,
          .access = {}};
}

}  // namespace grader
