#include "grader/report/text.hpp"

#include <algorithm>
#include <cstddef>

#include "grader/base/plain_text.hpp"
#include "grader/report/check_block.hpp"
#include "grader/report/diagnosis_block.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

std::string title_line(const Scorecard& scorecard, const Paint& paint) {
  std::string title = submission_name(scorecard) + " · " + scorecard.assignment_title;
  if (scorecard.hint_level != HintLevel::score_only) {
    title += " · seed " + std::to_string(scorecard.seed);
  }
  const std::string score =
      has_score(scorecard) ? points_text(scorecard.score, scorecard.max_score) : "no score";
  const std::size_t room = kReportWidth - display_width(score) - 2;
  return paint.strong(padded(shortened(title, room), room)) + "  " + paint.strong(score);
}

std::string bar(const ObjectiveScore& objective, const Paint& paint) {
  constexpr std::size_t kCells = 10;
  const double share = objective.max_points > 0 ? objective.points / objective.max_points : 0;
  std::size_t full = 0;
  while (full < kCells && static_cast<double>(full + 1) <= share * kCells + 1e-9) ++full;
  std::string filled;
  std::string open;
  for (std::size_t cell = 0; cell < kCells; ++cell)
    (cell < full ? filled : open) += cell < full ? "■" : "□";
  return paint.good(filled) + paint.faint(open);
}

Lines objective_lines(const Scorecard& scorecard, const Paint& paint) {
  std::size_t width = 0;
  for (const ObjectiveScore& objective : scorecard.objectives) {
    width = std::max(width, display_width(objective.title));
  }
  Lines lines{""};
  for (const ObjectiveScore& objective : scorecard.objectives) {
    lines.push_back("  " + padded(objective.title, width + 2) +
                    right_aligned(number_text(objective.points), 4) + " / " +
                    padded(number_text(objective.max_points), 6) + bar(objective, paint));
  }
  return lines;
}

Lines failure_lines(const Scorecard& scorecard, const TextOptions& options, const Paint& paint) {
  Lines lines;
  bool previous_is_bare = false;  // bare headlines (nothing may be told) stand together
  for (const Failure& failure : failures_of(scorecard.checks, options.commands)) {
    const Lines block = failure_block(failure, paint);
    const bool is_bare = block.size() == 1;
    if (!(is_bare && previous_is_bare)) lines.push_back("");
    append(lines, block);
    previous_is_bare = is_bare;
  }
  return lines;
}

Lines not_judged_lines(const Scorecard& scorecard, const Paint& paint) {
  Lines lines;
  for (const ScoredCheck& check : scorecard.checks) {
    if (check.result.status != CheckStatus::not_run) continue;
    if (lines.empty()) lines = {"", "Could not be judged"};
    lines.push_back(check_headline(check, paint));
    append(lines, wrapped(why_not_judged(check), 2));
  }
  return lines;
}

Lines passed_lines(const Scorecard& scorecard) {
  const std::string sentence = passed_sentence(scorecard);
  if (sentence.empty()) return {};
  Lines lines{""};
  append(lines, wrapped(sentence, 0));
  return lines;
}

Lines notice_lines(const Scorecard& scorecard) {
  Lines lines;
  for (const std::string& notice : scorecard.notices) {
    if (lines.empty()) lines.push_back("");
    append(lines, wrapped("Note: " + notice, 0));
  }
  return lines;
}

Lines not_built_lines(const Scorecard& scorecard, const Paint& paint) {
  Lines lines{""};
  for (const std::string& line : wrapped("✗ " + problem_headline(scorecard), 0)) {
    lines.push_back(paint.bad(line));
  }
  constexpr std::size_t kShown = 12;
  const Lines diagnostics = shown_diagnostics(scorecard, kShown, kReportWidth + 20);
  if (!diagnostics.empty()) lines.push_back("");
  for (const std::string& line : diagnostics) lines.push_back("  " + line);
  if (!scorecard.build.hint.empty()) {
    lines.push_back("");
    append(lines, wrapped("Hint: " + scorecard.build.hint, 2));
  }
  return lines;
}

Lines error_lines(const Scorecard& scorecard, const Paint& paint) {
  Lines lines{"", paint.bad("✗ " + problem_headline(scorecard))};
  append(lines, wrapped(scorecard.error, 2));
  append(lines, wrapped(scorecard.error_hint, 2));
  return lines;
}

Lines printed_lines(const Scorecard& scorecard) {
  if (scorecard.printed.empty()) return {};
  constexpr std::size_t kShown = 5;
  const Lines all = lines_of(scorecard.printed);
  const bool failed = std::ranges::any_of(scorecard.checks, did_fail);
  Lines lines{"", "Your code printed " + counted(all.size(), "line") +
                      (failed ? "; it begins" : "; see the scorecard.")};
  for (std::size_t index = 0; failed && index < std::min(all.size(), kShown); ++index) {
    lines.push_back("  " + shortened(plain_line(all[index], kReportWidth * 4), kReportWidth));
  }
  return lines;
}

std::string last_line(const Scorecard& scorecard, const TextOptions& options) {
  std::string line;
  for (const std::string& part : how_graded(scorecard)) line += (line.empty() ? "" : " · ") + part;
  for (const std::string& written : {options.commands.scorecard, options.page}) {
    if (!written.empty()) line += (line.empty() ? "" : " · ") + written;
  }
  return line;
}

}  // namespace

std::string text_report(const Scorecard& scorecard, const TextOptions& options) {
  const Paint paint(options.color);
  Lines lines{title_line(scorecard, paint)};
  switch (scorecard.status) {
    case ScorecardStatus::graded:
      append(lines, objective_lines(scorecard, paint));
      append(lines, diagnosis_block(scorecard.diagnosis, paint));
      append(lines, failure_lines(scorecard, options, paint));
      append(lines, not_judged_lines(scorecard, paint));
      append(lines, passed_lines(scorecard));
      break;
    case ScorecardStatus::not_built: append(lines, not_built_lines(scorecard, paint)); break;
    case ScorecardStatus::refused:
    case ScorecardStatus::environment_error:
    case ScorecardStatus::internal_error: append(lines, error_lines(scorecard, paint)); break;
  }
  append(lines, printed_lines(scorecard));
  append(lines, notice_lines(scorecard));
  if (const std::string hidden = hidden_sentence(scorecard); !hidden.empty()) {
    append(lines, {"", hidden});
  }
  const std::string last = last_line(scorecard, options);
  if (!last.empty()) {
    const bool follows_sentence = scorecard.status == ScorecardStatus::graded &&
                                  !passed_lines(scorecard).empty() && scorecard.printed.empty() &&
                                  scorecard.notices.empty();
    if (!follows_sentence) lines.push_back("");
    lines.push_back(paint.faint(last));
  }
  return joined(lines);
}

std::string check_report(const ScoredCheck& check, const TextOptions& options) {
  return joined(failure_block(failure_of(check, options.commands), Paint(options.color)));
}

}  // namespace grader
