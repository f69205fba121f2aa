#include "grader/report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <tuple>

#include "grader/base/plain_text.hpp"
#include "grader/report/check_block.hpp"
#include "grader/report/diagnosis_block.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

std::string points_text(double points, double max_points) {
  return number_text(points) + " / " + number_text(max_points);
}

// "attention.cpp" for one file, else the submission's id.
std::string submission_name(const Scorecard& scorecard) {
  if (scorecard.files.size() == 1) return scorecard.files.front().name;
  return scorecard.submission_id.empty() ? "submission" : scorecard.submission_id;
}

bool has_score(const Scorecard& scorecard) {
  return scorecard.status != ScorecardStatus::environment_error &&
         scorecard.status != ScorecardStatus::internal_error;
}

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

// One sentence on the checks that passed and how thoroughly they were tried.
Lines passed_lines(const Scorecard& scorecard) {
  std::size_t passed = 0;
  std::int64_t most = 0;
  Lines missed;
  for (const ScoredCheck& check : scorecard.checks) {
    if (check.result.status == CheckStatus::passed) {
      ++passed;
      most = std::max(most, check.result.cases);
    }
    for (const std::string& label : check.result.coverage_missed) {
      if (std::ranges::find(missed, label) == missed.end()) missed.push_back(label);
    }
  }
  if (passed == 0) return {};
  std::string text = passed == scorecard.checks.size()
                         ? "All " + counted(passed, "check") + " passed"
                         : counted(passed, "check") + " passed";
  text += ": up to " + counted(static_cast<std::size_t>(most), "case") + " each, ";
  if (missed.empty()) {
    text += "every required kind of input reached.";
  } else {
    text += "but too few of these kinds of input (grade with more --cases): ";
    constexpr std::size_t kShown = 6;
    for (std::size_t index = 0; index < std::min(missed.size(), kShown); ++index) {
      text += (index > 0 ? ", " : "") + missed[index];
    }
    if (missed.size() > kShown) text += " and " + counted(missed.size() - kShown, "other");
    text += ".";
  }
  Lines lines{""};
  append(lines, wrapped(text, 0));
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

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// What the compiler said, from its first error on.
Lines diagnostics_lines(const Scorecard& scorecard) {
  constexpr std::size_t kShown = 12;
  const Lines all = lines_of(scorecard.build.diagnostics);
  const auto is_error = [](const std::string& line) {
    return line.find("error:") != std::string::npos || line.find("undefined") != std::string::npos;
  };
  auto first = std::ranges::find_if(all, is_error);
  if (first == all.end()) first = all.begin();
  Lines lines;
  for (; first != all.end() && lines.size() < kShown; ++first) {
    lines.push_back("  " + shortened(*first, kReportWidth + 20));
  }
  const auto left = static_cast<std::size_t>(all.end() - first);
  if (left > 0) lines.push_back("  … " + counted(left, "more line") + " in the scorecard");
  return lines;
}

Lines not_built_lines(const Scorecard& scorecard, const Paint& paint) {
  Lines lines{""};
  for (const std::string& line : wrapped("✗ " + scorecard.build.problem, 0)) {
    lines.push_back(paint.bad(line));
  }
  const Lines diagnostics = diagnostics_lines(scorecard);
  if (!diagnostics.empty()) lines.push_back("");
  append(lines, diagnostics);
  if (!scorecard.build.hint.empty()) {
    lines.push_back("");
    append(lines, wrapped("Hint: " + scorecard.build.hint, 2));
  }
  return lines;
}

Lines error_lines(const Scorecard& scorecard, const Paint& paint) {
  std::string headline = "✗ The submission was refused.";
  if (scorecard.status == ScorecardStatus::environment_error) {
    headline = "✗ Not graded: this machine could not do it. That costs no mark.";
  } else if (scorecard.status == ScorecardStatus::internal_error) {
    headline = "✗ Not graded: the grader itself has a bug. That costs no mark.";
  }
  Lines lines{"", paint.bad(headline)};
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

std::string seconds_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  return text.data();
}

// "g++ 12.2.0" of "g++ (Debian 12.2.0-14) 12.2.0": the package is in the scorecard.
std::string without_package(std::string toolchain) {
  const std::size_t open = toolchain.find(" (");
  const std::size_t close = toolchain.find(')', open);
  if (open != std::string::npos && close != std::string::npos) {
    toolchain.erase(open, close - open + 1);
  }
  return toolchain;
}

std::string last_line(const Scorecard& scorecard, const TextOptions& options) {
  std::string line;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) line += (line.empty() ? "" : " · ") + part;
  };
  if (!scorecard.isolation.level.empty()) add("isolation " + scorecard.isolation.level);
  add(without_package(scorecard.toolchain));
  const auto total = scorecard.timing.find("total");
  if (total != scorecard.timing.end()) add(seconds_text(total->second));
  add(options.commands.scorecard);
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
  if (scorecard.hint_level != HintLevel::full && scorecard.score < scorecard.max_score) {
    append(lines, {"", "This assignment does not show the inputs of its checks."});
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
