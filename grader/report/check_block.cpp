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

Lines evidence_lines(const CheckResult& result, const Paint& paint) {
  Lines lines;
  if (result.minimal) {
    const Lines inputs = inputs_text(result.minimal->test_case.inputs, kTableIndent);
    if (!inputs.empty()) {
      lines.push_back("");
      lines.push_back(std::string(kIndent, ' ') + input_title(result));
      append(lines, inputs);
      append(lines, wrapped(result.minimal->explanation, kIndent));
    }
    const Lines comparison = comparison_text(result.minimal->judgement, kIndent, paint);
    if (!comparison.empty()) lines.push_back("");
    append(lines, comparison);
  }
  append(lines, call_lines(result.calls));
  return lines;
}

std::string headline(CheckStatus status, const std::string& name, double points, double max_points,
                     const Paint& paint) {
  constexpr std::size_t kPointsWidth = 9;
  const std::string text = number_text(points) + " / " + number_text(max_points);
  const std::size_t room = kReportWidth - kPointsWidth - 2;
  const std::string mark = status == CheckStatus::passed    ? paint.good(symbol(status))
                           : status == CheckStatus::not_run ? paint.faint(symbol(status))
                                                            : paint.bad(symbol(status));
  return mark + " " + paint.strong(padded(shortened(name, room), room)) +
         right_aligned(text, kPointsWidth);
}

// Many checks that fail alike: their ids in one paragraph instead of a headline each.
Lines headlines_of(const Failure& failure, const Paint& paint) {
  constexpr std::size_t kMostHeadlines = 8;
  Lines lines;
  if (failure.checks.size() <= kMostHeadlines) {
    for (const ScoredCheck* check : failure.checks) lines.push_back(check_headline(*check, paint));
    return lines;
  }
  double points = 0;
  double max_points = 0;
  std::string ids;
  for (const ScoredCheck* check : failure.checks) {
    points += check->points;
    max_points += check->max_points;
    ids += (ids.empty() ? "" : ", ") + check->result.id;
  }
  const CheckStatus status = failure.checks.front()->result.status;
  lines.push_back(
      headline(status, counted(failure.checks.size(), "check"), points, max_points, paint));
  append(lines, wrapped(ids, kIndent));
  lines.emplace_back();
  return lines;
}

}  // namespace

std::string check_headline(const ScoredCheck& check, const Paint& paint) {
  std::string title = check.title;
  if (title == check.result.id) title.clear();
  return headline(check.result.status,
                  padded(check.result.id, 24) + (title.empty() ? "" : "  " + title) +
                      ending(check.result.status),
                  check.points, check.max_points, paint);
}

Lines failure_details(const Failure& failure, const Paint& paint) {
  const CheckResult& result = failure.checks.front()->result;
  Lines lines = wrapped(failure.message, kIndent);
  append(lines, wrapped(failure.place, kIndent));
  append_list(lines, "accepted, although wrong:", result.accepted_wrongly);
  append_list(lines, "refused, although right:", result.refused_wrongly);
  if (failure.has_evidence) append(lines, evidence_lines(result, paint));
  return lines;
}

Lines failure_block(const Failure& failure, const Paint& paint) {
  Lines lines = headlines_of(failure, paint);
  append(lines, failure_details(failure, paint));
  Lines advice;
  append(advice, labelled_text("Lesson: ", failure.lesson));
  append(advice, labelled_text("Hint:   ", failure.hint));
  if (!failure.replay.empty()) {
    advice.push_back(std::string(kIndent, ' ') + paint.faint("Again:  " + failure.replay));
  }
  if (!advice.empty()) lines.push_back("");
  append(lines, advice);
  return lines;
}

}  // namespace grader
