#include "grader/host/sandboxed.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/channel/message.hpp"
#include "grader/host/host.hpp"
#include "grader/sandbox/support_file.hpp"

namespace grader {
namespace {

using host::Host;

constexpr const char* kNamelessCall = "a system call that is not allowed";

Outcome ended_as(Ending ending, std::string message) {
  Outcome outcome;
  outcome.ending = ending;
  outcome.message = std::move(message);
  return outcome;
}

std::string seconds(std::int64_t milliseconds) {
  std::string text = std::to_string(milliseconds / 1000);
  if (milliseconds % 1000 != 0) {
    text += "." + std::to_string(milliseconds % 1000 + 1000).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + " s";
}

}  // namespace

std::filesystem::path default_host_program() { return support_file("attention-grader-host"); }

SandboxedImplementation::SandboxedImplementation(const Contract& contract,
                                                 std::filesystem::path submission,
                                                 const Limits& limits,
                                                 std::filesystem::path host_program)
    : contract_(contract),
      submission_(std::move(submission)),
      host_program_(std::move(host_program)),
      limits_(limits) {
  launch();
}

SandboxedImplementation::~SandboxedImplementation() = default;

void SandboxedImplementation::launch() {
  host_.reset();  // the old box goes first: two would need twice the memory
  host_ = std::make_unique<Host>(host_program_, submission_, limits_);
}

Outcome SandboxedImplementation::call(FunctionId function, const Arguments& arguments) {
  if (function >= contract_.size()) {
    throw InternalFault("the contract has no function " + std::to_string(function));
  }
  ++calls_made_;
  try {
    return call_in_child(function, arguments);
  } catch (const host::HostGone&) {
    // The box was killed from outside or by the kernel for want of memory: once more in a new one.
    launch();
  }
  try {
    return call_in_child(function, arguments);
  } catch (const host::HostGone& gone) {
    throw EnvironmentFault(gone.what() + std::string(", twice"),
                           "Make sure that the machine has free memory and that nothing kills the "
                           "grader's processes, then retry.");
  }
}

void SandboxedImplementation::start_fresh() {
  if (!host_->child_running() || !child_was_called_) {
    return;
  }
  host_->kill_child();
  reap_child();
}

bool SandboxedImplementation::ensure_child() {
  if (host_->child_running()) {
    return true;
  }
  const double left = static_cast<double>(limits_.run_cpu_ms) / 1000 - cpu_seconds_;
  if (!(left > 0)) {
    return false;
  }
  // One second more than is left: whole seconds are all that the kernel counts, and a call's own
  // limit should be what ends it.
  host_->start_child(static_cast<std::uint32_t>(std::ceil(left)) + 1);
  ++processes_started_;
  child_was_called_ = false;
  return true;
}

Outcome SandboxedImplementation::call_in_child(FunctionId function, const Arguments& arguments) {
  if (const Outcome* known = known_exhaustion(function)) return *known;
  peak_memory_ = 0;
  Outcome outcome = made_call(function, arguments);
  note_exhaustion(function, outcome);
  return outcome;
}

const Outcome* SandboxedImplementation::known_exhaustion(FunctionId function) const {
  constexpr std::uint64_t kMostInAll = 6;
  constexpr std::uint64_t kMostOfOne = 3;
  std::uint64_t all = 0;
  for (const auto& [any, exhaustion] : exhaustions_) all += exhaustion.count;
  const auto found = exhaustions_.find(function);
  const bool is_known =
      all >= kMostInAll && found != exhaustions_.end() && found->second.count >= kMostOfOne;
  return is_known ? &found->second.last : nullptr;
}

void SandboxedImplementation::note_exhaustion(FunctionId function, const Outcome& outcome) {
  const auto most = static_cast<std::uint64_t>(limits_.run_memory) / 2;
  // An exception leaves the process alive; the next call gets another, so that what this one took
  // is not put down to it.
  if (outcome.ending == Ending::threw && outcome.message == "std::bad_alloc" &&
      host_->child_running() && host_->child_peak_memory() >= most) {
    host_->kill_child();
    peak_memory_ = reap_child().peak_memory;
  }
  if (peak_memory_ < most) return;
  Exhaustion& exhaustion = exhaustions_[function];
  ++exhaustion.count;
  exhaustion.last = outcome;
}

Outcome SandboxedImplementation::made_call(FunctionId function, const Arguments& arguments) {
  encode_request(contract_[function], arguments, request_);
  const std::span<unsigned char> space = host_->request_space();
  if (request_.size() > space.size()) {
    throw InternalFault("the arguments of " + contract_[function].name +
                        " are larger than the channel to the sandbox");
  }
  if (!ensure_child()) {
    return ended_as(Ending::timed_out, "the " + seconds(limits_.run_cpu_ms) +
                                           " of processor time for all calls are used up");
  }
  child_was_called_ = true;
  std::memcpy(space.data(), request_.data(), request_.size());
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(limits_.call_wall_ms);
  host_->send_request(static_cast<std::uint32_t>(function), request_.size());
  const Host::Reply reply = host_->wait_for_reply(deadline);
  Outcome outcome;
  if (reply == Host::Reply::answered) {
    outcome = outcome_of_answer(function);
  } else if (reply == Host::Reply::ended) {
    const auto ended = host_->wait_for_end(deadline);
    if (ended) {
      charge(*ended);
      outcome = outcome_of_end(*ended);
    } else {
      outcome = end_late_call();
    }
  } else {
    outcome = end_late_call();
  }
  host_->drain_output(printed_, static_cast<std::size_t>(limits_.output_shown));
  return outcome;
}

Outcome SandboxedImplementation::outcome_of_answer(FunctionId function) {
  const auto shared = host_->answer_in_shared_memory();
  // A copy of our own, so that nothing that is checked can change afterwards.
  answer_.assign(shared.begin(), shared.end());
  return decode_outcome(contract_[function].result, answer_);
}

Outcome SandboxedImplementation::end_late_call() {
  host_->kill_child();
  const double used_before = cpu_seconds_;
  const host::Ended ended = reap_child();
  // Charged in full even if it slept, so that it does not depend on the machine's speed how many
  // such calls a submission gets.
  cpu_seconds_ =
      std::max(cpu_seconds_, used_before + static_cast<double>(limits_.call_wall_ms) / 1000);
  if (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGKILL) {
    return ended_as(Ending::timed_out,
                    "no answer within " + seconds(limits_.call_wall_ms) +
                        (host_->submission_was_loaded() ? "" : " while it was being loaded"));
  }
  return outcome_of_end(ended);  // it ended by itself in the last moment
}

host::Ended SandboxedImplementation::reap_child() {
  const auto ended = host_->wait_for_end(Clock::now() + std::chrono::seconds(10));
  if (!ended) {
    throw EnvironmentFault("a process of the submission could not be ended",
                           "Look for a process that hangs in the kernel (state D), then retry.");
  }
  charge(*ended);
  return *ended;
}

void SandboxedImplementation::charge(const host::Ended& ended) {
  cpu_seconds_ += static_cast<double>(ended.cpu_microseconds) * 1e-6;
  peak_memory_ = ended.peak_memory;
}

Outcome SandboxedImplementation::outcome_of_end(const host::Ended& ended) {
  const std::string when =
      host_->submission_was_loaded() ? std::string() : " while it was being loaded";
  if (WIFEXITED(ended.status)) {
    return ended_as(Ending::exited,
                    "exited with status " + std::to_string(WEXITSTATUS(ended.status)) + when);
  }
  const int signal = WTERMSIG(ended.status);
  Outcome outcome = ended_as(Ending::crashed, when.empty() ? "" : when.substr(1));
  outcome.signal = signal;
  if (signal == SIGSYS) {
    std::string name = host_->forbidden_call();
    // The C library starts threads and processes with every signal blocked, so that the call that
    // is refused cannot tell its name.
    if (name.empty()) name = limits_.threads == 0 ? "clone, most likely" : kNamelessCall;
    if (name.starts_with("clone") && limits_.threads == 0) {
      name += " (starting a thread or another process, which this assignment does not allow)";
    }
    outcome.ending = Ending::forbidden;
    outcome.message = name + when;
  } else if (signal == SIGXCPU ||
             (signal == SIGKILL &&
              cpu_seconds_ * 1000 >= static_cast<double>(limits_.run_cpu_ms))) {
    outcome.ending = Ending::timed_out;
    outcome.message =
        "used more than the " + seconds(limits_.run_cpu_ms) + " of processor time for all calls";
  } else if (signal == SIGKILL) {
    outcome.message = "ended by the system, most likely for using too much memory" + when;
  }
  return outcome;
}

}  // namespace grader
