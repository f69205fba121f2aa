#include "grader/report/formats/markdown.hpp"

#include <algorithm>
#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/report/check_block.hpp"
#include "grader/report/diagnosis_block.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

constexpr std::size_t kLineLimit = 4'000;
constexpr std::size_t kTextLimit = 32 << 10;

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char character : text) {
    run = character == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string heading(const Scorecard& scorecard) {
  const std::string score =
      has_score(scorecard) ? points_text(scorecard.score, scorecard.max_score) : "no score";
  std::string text = "# " + markdown_code(submission_name(scorecard)) + ": " + score + "\n\n" +
                     markdown_text(scorecard.assignment_title);
  if (scorecard.hint_level != HintLevel::score_only) {
    text += ", seed " + std::to_string(scorecard.seed);
  }
  return text + "\n";
}

std::string objectives_table(const Scorecard& scorecard) {
  std::string text = "\n| objective | points |\n|---|---:|\n";
  for (const ObjectiveScore& objective : scorecard.objectives) {
    text += "| " + markdown_text(objective.title) + " | " +
            points_text(objective.points, objective.max_points) + " |\n";
  }
  return text;
}

std::string advice(const std::string& label, const std::string& text) {
  return text.empty() ? "" : "\n**" + label + "** " + markdown_text(text) + "\n";
}

std::string failure_section(const Failure& failure) {
  std::string text;
  for (const ScoredCheck* check : failure.checks) {
    text += "\n### ✗ " + markdown_code(check->result.id) + " " + markdown_text(check->title) +
            ending(check->result.status) + ", " + points_text(check->points, check->max_points) +
            "\n";
  }
  const std::string details = joined(failure_details(failure, Paint(false)));
  if (!details.empty()) text += "\n" + markdown_block(details);
  text += advice("Lesson:", failure.lesson) + advice("Hint:", failure.hint);
  if (!failure.replay.empty()) text += "\n**Again:** " + markdown_code(failure.replay) + "\n";
  return text;
}

std::string graded_part(const Scorecard& scorecard, const CommandOptions& commands) {
  std::string text = objectives_table(scorecard);
  for (const Diagnosis& diagnosis : scorecard.diagnosis) {
    const std::string ids = diagnosis_ids(diagnosis);
    text += "\n**" + markdown_text(diagnosis_title(diagnosis)) + "**" +
            (ids.empty() ? "" : " (" + markdown_text(ids) + ")") + " " +
            markdown_text(diagnosis_text(diagnosis)) + "\n";
  }
  for (const Failure& failure : failures_of(scorecard.checks, commands)) {
    text += failure_section(failure);
  }
  std::string open;
  for (const ScoredCheck& check : scorecard.checks) {
    if (check.result.status != CheckStatus::not_run) continue;
    open += "- " + markdown_code(check.result.id) + " " + markdown_text(check.title) + ": " +
            markdown_code(why_not_judged(check)) + "\n";
  }
  if (!open.empty()) text += "\n### Could not be judged\n\n" + open;
  const std::string passed = passed_sentence(scorecard);
  if (!passed.empty()) text += "\n" + markdown_text(passed) + "\n";
  return text;
}

std::string problem_part(const Scorecard& scorecard) {
  std::string text = "\n## ✗ " + markdown_text(problem_headline(scorecard)) + "\n";
  for (const std::string& sentence : {scorecard.error, scorecard.error_hint}) {
    if (!sentence.empty()) text += "\n" + markdown_code(sentence) + "\n";
  }
  constexpr std::size_t kMostLines = 30;
  constexpr std::size_t kWidth = 160;
  std::string diagnostics;
  for (const std::string& line : shown_diagnostics(scorecard, kMostLines, kWidth)) {
    diagnostics += line + "\n";
  }
  if (!diagnostics.empty()) text += "\n" + markdown_block(diagnostics);
  if (!scorecard.build.hint.empty())
    text += "\n**Hint:** " + markdown_code(scorecard.build.hint) + "\n";
  return text;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char character : plain_line(text, kLineLimit)) {
    const bool is_punctuation =
        std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(character) !=
        std::string_view::npos;
    if (is_punctuation) escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  const std::string line = plain_line(text, kLineLimit);
  const std::string fence(longest_run(line, '`') + 1, '`');
  // A space inside keeps backticks at the ends apart; readers take one away again.
  return fence + " " + line + " " + fence;
}

std::string markdown_block(std::string_view text) {
  const std::string lines = plain_text(text, kTextLimit);
  const std::string fence(std::max<std::size_t>(3, longest_run(lines, '`') + 1), '`');
  return fence + "text\n" + lines + (lines.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string markdown_report(const Scorecard& scorecard, const CommandOptions& commands) {
  std::string text = heading(scorecard);
  text += scorecard.status == ScorecardStatus::graded ? graded_part(scorecard, commands)
                                                      : problem_part(scorecard);
  for (const std::string& notice : scorecard.notices) {
    text += "\n> Note: " + markdown_code(notice) + "\n";
  }
  if (const std::string hidden = hidden_sentence(scorecard); !hidden.empty()) {
    text += "\n" + markdown_text(hidden) + "\n";
  }
  std::string how;
  for (const std::string& part : how_graded(scorecard)) how += (how.empty() ? "" : " · ") + part;
  if (!how.empty()) text += "\n" + markdown_text(how) + "\n";
  return text;
}

}  // namespace grader
