#include "grader/batch/comparison.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

using Key = std::pair<std::string, std::int64_t>;

// What decided the result, as far as it differs.
void compare_circumstances(const RunRecord& before, const RunRecord& after,
                           std::vector<std::string>& reasons) {
  const GradeRecord& old_grade = *before.grade;
  const GradeRecord& new_grade = *after.grade;
  const auto differs = [&](bool is_different, const std::string& sentence) {
    if (is_different) reasons.push_back(sentence);
  };
  differs(before.content != after.content, "Other files were handed in.");
  differs(old_grade.assignment_digest != new_grade.assignment_digest, "The assignment changed.");
  differs(old_grade.grader_version != new_grade.grader_version,
          "The grader changed from version " + old_grade.grader_version + " to " +
              new_grade.grader_version + ".");
  differs(old_grade.seed != new_grade.seed, "The seed changed from " +
                                                std::to_string(old_grade.seed) + " to " +
                                                std::to_string(new_grade.seed) + ".");
  differs(old_grade.cases != new_grade.cases, "The random cases a check changed from " +
                                                  std::to_string(old_grade.cases) + " to " +
                                                  std::to_string(new_grade.cases) + ".");
  differs(!old_grade.toolchain.empty() && !new_grade.toolchain.empty() &&
              old_grade.toolchain != new_grade.toolchain,
          "The compiler changed from " + old_grade.toolchain + " to " + new_grade.toolchain + ".");
  differs(!old_grade.isolation.empty() && !new_grade.isolation.empty() &&
              old_grade.isolation != new_grade.isolation,
          "The isolation changed from " + old_grade.isolation + " to " + new_grade.isolation + ".");
  differs(reasons.empty() && before.configuration != after.configuration,
          "One check was graded again alone, with another version of the assignment, or the hint "
          "level or the learned inputs changed.");
}

std::string judged(const CheckRecord& check) {
  std::string words(name_of(check.status));
  std::ranges::replace(words, '_', ' ');
  return words + ", " + number_text(check.points) + " of " + number_text(check.max_points);
}

void compare_results(const GradeRecord& before, const GradeRecord& after,
                     std::vector<std::string>& reasons) {
  if (before.status != after.status) {
    std::string sentence = "It was ";
    for (const char character : name_of(before.status))
      sentence += character == '_' ? ' ' : character;
    sentence += " and is now ";
    for (const char character : name_of(after.status))
      sentence += character == '_' ? ' ' : character;
    reasons.push_back(sentence + "." + (after.error.empty() ? "" : " " + after.error));
  }
  for (const CheckRecord& check : after.checks) {
    const auto old_check = std::ranges::find(before.checks, check.id, &CheckRecord::id);
    if (old_check == before.checks.end()) {
      reasons.push_back(check.id + " is new: " + judged(check) + ".");
    } else if (old_check->status != check.status || old_check->points != check.points ||
               old_check->max_points != check.max_points) {
      std::string sentence = check.id + ": " + judged(*old_check) + " → " + judged(check) + ".";
      if (!check.message.empty()) sentence += " " + check.message;
      reasons.push_back(sentence);
    }
  }
  for (const CheckRecord& check : before.checks) {
    if (std::ranges::find(after.checks, check.id, &CheckRecord::id) == after.checks.end()) {
      reasons.push_back(check.id + " is gone: it was " + judged(check) + ".");
    }
  }
}

std::optional<double> score_of(const Standing* standing) {
  if (standing == nullptr || !standing->graded) return std::nullopt;
  return standing->graded->grade->score;
}

ScoreChange change_of(const Key& key, const Standing* before, const Standing* after) {
  ScoreChange change;
  change.student = key.first;
  change.attempt = key.second;
  change.before = score_of(before);
  change.after = score_of(after);
  if (before == nullptr) change.reasons.emplace_back("It was not handed in before.");
  if (after == nullptr) change.reasons.emplace_back("It is not there any more.");
  if (after != nullptr && !after->needs_attention.empty()) {
    change.reasons.push_back("It needs attention: " + after->needs_attention);
  }
  if (!change.before || !change.after) return change;
  std::vector<std::string> results;
  compare_results(*before->graded->grade, *after->graded->grade, results);
  if (results.empty()) return change;
  compare_circumstances(*before->graded, *after->graded, change.reasons);
  if (change.reasons.empty()) {
    change.reasons.emplace_back(
        "Nothing that decides the result changed: the submission does not do the same each time.");
  }
  change.reasons.insert(change.reasons.end(), results.begin(), results.end());
  return change;
}

std::string score_text(const std::optional<double>& score) {
  return score ? number_text(*score) : "no score";
}

void append_changes(const std::vector<ScoreChange>& changes, std::vector<std::string>& lines) {
  constexpr std::size_t kIndent = 6;
  for (const ScoreChange& change : changes) {
    std::string line = "  " + change.student;
    if (change.attempt > 1) line += ", attempt " + std::to_string(change.attempt);
    line += ": " + score_text(change.before);
    if (change.before != change.after) line += " → " + score_text(change.after);
    lines.push_back(line);
    for (const std::string& reason : change.reasons) append(lines, wrapped(reason, kIndent));
  }
}

}  // namespace

Comparison compare(const std::vector<Standing>& before, const std::vector<Standing>& after) {
  std::map<Key, std::pair<const Standing*, const Standing*>> all;
  for (const Standing& one : before) {
    all[{one.submission.student, one.submission.number}].first = &one;
  }
  for (const Standing& one : after) {
    all[{one.submission.student, one.submission.number}].second = &one;
  }
  Comparison comparison;
  for (const auto& [key, sides] : all) {
    ScoreChange change = change_of(key, sides.first, sides.second);
    if (change.before != change.after) {
      comparison.changes.push_back(std::move(change));
    } else if (!change.reasons.empty()) {
      comparison.same_score.push_back(std::move(change));
    } else {
      ++comparison.unchanged;
    }
  }
  return comparison;
}

std::string comparison_text(const Comparison& comparison) {
  std::vector<std::string> lines;
  if (comparison.changes.empty()) {
    lines.emplace_back("No score changes.");
  } else {
    lines.push_back(counted(comparison.changes.size(), "score") +
                    (comparison.changes.size() == 1 ? " changes:" : " change:"));
    append_changes(comparison.changes, lines);
  }
  if (!comparison.same_score.empty()) {
    lines.emplace_back();
    lines.emplace_back("The same score for another reason:");
    append_changes(comparison.same_score, lines);
  }
  lines.emplace_back();
  lines.push_back(counted(comparison.unchanged, "submission") +
                  (comparison.unchanged == 1 ? " stays as it is." : " stay as they are."));
  return joined(lines);
}

}  // namespace grader
