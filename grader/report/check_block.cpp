#include "grader/report/check_block.hpp"

#include <algorithm>
#include <cstddef>

#include "grader/report/comparison.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/value_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTableIndent = 6;

std::string symbol(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed: return "✓";
    case CheckStatus::not_run: return "–";
    case CheckStatus::failed:
    case CheckStatus::crashed:
    case CheckStatus::timed_out: break;
  }
  return "✗";
}

std::string ending(CheckStatus status) {
  if (status == CheckStatus::crashed) return " (crashed)";
  if (status == CheckStatus::timed_out) return " (timed out)";
  return "";
}

std::string input_title(const CheckResult& result) {
  const Case& test_case = result.minimal->test_case;
  const std::string sizes = dimensions_text(test_case);
  const bool is_smaller = result.shrinks > 0;
  std::string title = "input";
  if (is_smaller) {
    title = result.shrinking_cut ? "small failing input" : "smallest input";
  } else if (!test_case.name.empty()) {
    title = "input: " + test_case.name;
  }
  return sizes.empty() ? title : title + " (" + sizes + ")";
}

Lines fault_lines(const Fault& fault) {
  if (fault.file.empty()) return {};
  std::string place = "At " + fault.file;
  if (fault.line > 0) place += ", line " + std::to_string(fault.line);
  if (!fault.access.empty()) place += ": " + fault.access;
  return wrapped(place + ".", kIndent);
}

// The message, unless the lists of wrongly judged data say the same.
Lines message_lines(const CheckResult& result) {
  const auto is_repeated = [&](const std::vector<std::string>& items) {
    return !items.empty() && result.message.find(items.front()) != std::string::npos;
  };
  if (is_repeated(result.accepted_wrongly) || is_repeated(result.refused_wrongly)) return {};
  return wrapped(result.message, kIndent);
}

void append_list(Lines& lines, const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  constexpr std::size_t kShown = 8;
  lines.push_back(std::string(kIndent, ' ') + title);
  for (std::size_t index = 0; index < std::min(items.size(), kShown); ++index) {
    append(lines, wrapped("· " + items[index], kIndent + 2));
  }
  if (items.size() > kShown) {
    lines.push_back(std::string(kIndent + 2, ' ') + "… " +
                    counted(items.size() - kShown, "more kind"));
  }
}

// "Lesson: …" with its further lines below the first word.
Lines labelled_text(const std::string& label, const std::string& text) {
  Lines lines = wrapped(text, kIndent + label.size());
  if (!lines.empty()) lines.front().replace(kIndent, label.size(), label);
  return lines;
}

Lines call_lines(const std::vector<RecordedCall>& calls) {
  if (calls.empty()) return {};
  Lines lines{"", std::string(kIndent, ' ') + "calls, in this order"};
  std::size_t number = 0;
  for (const RecordedCall& call : calls) {
    std::string arguments;
    for (const Value& value : call.arguments) {
      arguments += (arguments.empty() ? "" : ", ") + inline_text(value);
    }
    lines.push_back(
        std::string(kTableIndent, ' ') +
        shortened(std::to_string(++number) + ". " + call.function + "(" + arguments + ")",
                  kReportWidth - kTableIndent));
  }
  return lines;
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
  for (const char letter : path)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

// The stored command names the scorecard as seen from its own folder.
std::string replay_command(std::string command, const TextOptions& options) {
  constexpr std::string_view kStored = "scorecard.json";
  const std::size_t place = command.find(kStored);
  if (place != std::string::npos && !options.scorecard.empty()) {
    command.replace(place, kStored.size(), quoted(options.scorecard));
  }
  if (!options.assignment.empty()) command += " --assignment " + quoted(options.assignment);
  return command;
}

Lines evidence_lines(const CheckResult& result, const Paint& paint) {
  Lines lines;
  if (result.minimal) {
    if (!result.minimal->test_case.inputs.empty()) {
      lines.push_back("");
      lines.push_back(std::string(kIndent, ' ') + input_title(result));
      append(lines, inputs_text(result.minimal->test_case.inputs, kTableIndent));
      append(lines, wrapped(result.minimal->explanation, kIndent));
    }
    const Lines comparison = comparison_text(result.minimal->judgement, kIndent, paint);
    if (!comparison.empty()) lines.push_back("");
    append(lines, comparison);
  }
  append(lines, call_lines(result.calls));
  return lines;
}

}  // namespace

std::string check_headline(const ScoredCheck& check, const Paint& paint) {
  constexpr std::size_t kPointsWidth = 9;
  const CheckStatus status = check.result.status;
  const std::string points = number_text(check.points) + " / " + number_text(check.max_points);
  std::string title = check.title;
  if (title == check.result.id) title.clear();
  const std::size_t room = kReportWidth - kPointsWidth - 2;
  const std::string name =
      padded(check.result.id, 24) + (title.empty() ? "" : "  " + title) + ending(status);
  const std::string mark = status == CheckStatus::passed    ? paint.good(symbol(status))
                           : status == CheckStatus::not_run ? paint.faint(symbol(status))
                                                            : paint.bad(symbol(status));
  return mark + " " + paint.strong(padded(shortened(name, room), room)) +
         right_aligned(points, kPointsWidth);
}

Lines check_block(const std::vector<const ScoredCheck*>& alike, const TextOptions& options,
                  const Paint& paint) {
  Lines lines;
  for (const ScoredCheck* check : alike) lines.push_back(check_headline(*check, paint));
  const ScoredCheck& first = *alike.front();
  const CheckResult& result = first.result;
  append(lines, message_lines(result));
  if (result.fault) append(lines, fault_lines(*result.fault));
  append_list(lines, "accepted, although wrong:", result.accepted_wrongly);
  append_list(lines, "refused, although right:", result.refused_wrongly);
  append(lines, evidence_lines(result, paint));
  // An exception says itself what is wrong; the lesson of the check that met it does not apply.
  const bool is_exception = result.fault && result.fault->kind == "exception";
  Lines advice;
  // Checks of several objectives that fail alike have one cause; no single lesson explains it.
  const bool is_one_objective = std::ranges::all_of(
      alike, [&](const ScoredCheck* check) { return check->objective == first.objective; });
  const bool has_advice = is_one_objective && !is_exception && result.status != CheckStatus::passed;
  if (has_advice && !first.lesson.empty()) {
    append(advice, labelled_text("Lesson: ", first.lesson));
  }
  if (has_advice && !first.hint.empty()) {
    append(advice, labelled_text("Hint:   ", first.hint));
  }
  if (!first.replay.empty()) {
    advice.push_back(std::string(kIndent, ' ') +
                     paint.faint("Again:  " + replay_command(first.replay, options)));
  }
  if (!advice.empty()) lines.push_back("");
  append(lines, advice);
  return lines;
}

}  // namespace grader
