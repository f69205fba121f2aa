#include "grader/report/failure.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "grader/report/value_text.hpp"

namespace grader {
namespace {

bool is_exception(const ScoredCheck& check) {
  return check.result.fault && check.result.fault->kind == "exception";
}

// What an exception says, without the function's own name in front.
std::string exception_text(const Fault& fault) {
  const std::string prefix = fault.function + ": ";
  return fault.message.starts_with(prefix) ? fault.message.substr(prefix.size()) : fault.message;
}

bool fail_alike(const ScoredCheck& left, const ScoredCheck& right) {
  const auto key = [](const ScoredCheck& check) {
    const CheckResult& result = check.result;
    return std::tie(result.status, result.accepted_wrongly, result.refused_wrongly);
  };
  if (left.result.message.empty() || key(left) != key(right)) return false;
  if (left.result.message == right.result.message) return true;
  if (!is_exception(left) || !is_exception(right)) return false;
  const std::string text = exception_text(*left.result.fault);
  return !text.empty() && text == exception_text(*right.result.fault);
}

// The functions that throw, in the order of the checks.
std::vector<std::string> throwing_functions(const std::vector<const ScoredCheck*>& checks) {
  std::vector<std::string> functions;
  for (const ScoredCheck* check : checks) {
    if (!is_exception(*check)) continue;
    const std::string& function = check->result.fault->function;
    if (std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
  }
  return functions;
}

std::string enumerated(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " and " : ", ";
    text += names[index];
  }
  return text;
}

// The message, unless the lists of wrongly judged data say the same.
std::string message_of(const CheckResult& result) {
  const auto is_repeated = [&](const std::vector<std::string>& items) {
    return !items.empty() && result.message.find(items.front()) != std::string::npos;
  };
  const bool is_told = is_repeated(result.accepted_wrongly) || is_repeated(result.refused_wrongly);
  return is_told ? "" : result.message;
}

std::string place_of(const CheckResult& result) {
  if (!result.fault || result.fault->file.empty()) return "";
  std::string place = "At " + result.fault->file;
  if (result.fault->line > 0) place += ", line " + std::to_string(result.fault->line);
  if (!result.fault->access.empty()) place += ": " + result.fault->access;
  return place + ".";
}

// What to look for after a fault; the lesson of the check that met it does not apply.
struct FaultAdvice {
  std::string_view kind;  // the beginning of Fault::kind
  std::string_view text;
};
constexpr std::array<FaultAdvice, 8> kFaultAdvice = {{
    {"SIGSEGV",
     "Look for an index outside of a matrix or vector, a pointer or reference to nothing, or a "
     "function that calls itself without end (the stack overflows)."},
    {"SIGBUS", "Look for a pointer or reference to memory that is gone."},
    {"SIGFPE", "Look for a division of integers by zero."},
    {"SIGABRT",
     "Look for an assert() that fails, memory that is freed twice, or an exception that leaves a "
     "noexcept function."},
    {"time limit",
     "Look for a loop that never ends, a recursion that repeats its work, or a read from the "
     "keyboard."},
    {"exit", "Return a result or throw an exception; never end the program."},
    {"system call", "The work needs no files, network, programs or other processes: do without."},
    {"exception", ""},
}};

std::string fault_advice(const Fault& fault) {
  if (!fault.access.empty()) return "";  // what was done is known: nothing is left to look for
  for (const FaultAdvice& advice : kFaultAdvice) {
    if (fault.kind.starts_with(advice.kind)) return std::string(advice.text);
  }
  return "";
}

bool is_one_objective(const std::vector<const ScoredCheck*>& checks) {
  return std::ranges::all_of(checks, [&](const ScoredCheck* check) {
    return check->objective == checks.front()->objective;
  });
}

// A path as a shell reads it back.
std::string quoted(const std::string& path) {
  const auto plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') ||
           std::string_view("/._-+").find(letter) != std::string_view::npos;
  };
  if (std::ranges::all_of(path, plain)) return path;
  std::string text = "'";
  for (const char letter : path) {
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return text + "'";
}

// The stored command starts the installed program and names the scorecard as seen from its own
// folder.
std::string replay_command(std::string command, const CommandOptions& options) {
  constexpr std::string_view kProgram = "attention-grader ";
  constexpr std::string_view kStored = "scorecard.json";
  if (command.empty()) return command;
  if (command.starts_with(kProgram)) {
    command.replace(0, kProgram.size(), quoted(options.program) + " ");
  }
  const std::size_t place = command.find(kStored);
  if (place != std::string::npos && !options.scorecard.empty()) {
    command.replace(place, kStored.size(), quoted(options.scorecard));
  }
  if (!options.assignment.empty()) command += " --assignment " + quoted(options.assignment);
  return command;
}

Failure described(std::vector<const ScoredCheck*> checks, const CommandOptions& options) {
  Failure failure;
  failure.checks = std::move(checks);
  const ScoredCheck& first = *failure.checks.front();
  const std::vector<std::string> functions = throwing_functions(failure.checks);
  if (functions.size() > 1) {
    // What was passed to one of them means nothing for the others.
    failure.has_evidence = false;
    failure.message =
        enumerated(functions) + " threw an exception: " + exception_text(*first.result.fault);
    failure.hint = "They throw whatever they are given: write them, one after the other.";
    return failure;
  }
  failure.message = message_of(first.result);
  failure.place = place_of(first.result);
  failure.replay = replay_command(first.replay, options);
  if (first.result.fault) {
    failure.hint = fault_advice(*first.result.fault);
  } else if (is_one_objective(failure.checks) && first.result.status != CheckStatus::passed) {
    // Checks of several objectives that fail alike have one cause; no single lesson explains it.
    failure.lesson = first.lesson;
    failure.hint = first.hint;
  }
  return failure;
}

}  // namespace

bool did_fail(const ScoredCheck& check) {
  return check.result.status != CheckStatus::passed && check.result.status != CheckStatus::not_run;
}

std::vector<Failure> failures_of(const std::vector<ScoredCheck>& checks,
                                 const CommandOptions& options) {
  std::vector<std::vector<const ScoredCheck*>> groups;
  for (const ScoredCheck& check : checks) {
    if (!did_fail(check)) continue;
    const auto group = std::ranges::find_if(
        groups, [&](const auto& alike) { return fail_alike(*alike.front(), check); });
    if (group == groups.end()) {
      groups.push_back({&check});
    } else {
      group->push_back(&check);
    }
  }
  std::vector<Failure> failures;
  for (auto& group : groups) failures.push_back(described(std::move(group), options));
  return failures;
}

Failure failure_of(const ScoredCheck& check, const CommandOptions& options) {
  return described({&check}, options);
}

std::string input_title(const CheckResult& result) {
  const Case& test_case = result.minimal->test_case;
  const std::string sizes = dimensions_text(test_case);
  const bool is_smaller = result.shrinks > 0;
  std::string title = "input";
  if (is_smaller) {
    title = result.shrinking_cut ? "small failing input" : "smallest input";
  }
  if (!test_case.name.empty()) title += ": " + test_case.name;
  return sizes.empty() ? title : title + " (" + sizes + ")";
}

std::string why_not_judged(const ScoredCheck& check) {
  const CheckResult& result = check.result;
  std::string why = result.message;
  if (!result.blocked_by.empty() && why.find(result.blocked_by) == std::string::npos) {
    why += (why.empty() ? "" : " ") + std::string("Make ") + result.blocked_by + " pass first.";
  }
  return why;
}

std::string ending(CheckStatus status) {
  if (status == CheckStatus::crashed) return " (crashed)";
  if (status == CheckStatus::timed_out) return " (timed out)";
  return "";
}

}  // namespace grader
