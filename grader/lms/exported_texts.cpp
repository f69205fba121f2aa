#include "grader/lms/exported_texts.hpp"

#include <algorithm>
#include <cmath>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/report/check_block.hpp"
#include "grader/report/diagnosis_block.hpp"
#include "grader/report/failure.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

constexpr std::size_t kLineLimit = 2'000;

using Lines = std::vector<std::string>;

std::string first_word(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed: return "Passed";
    case CheckStatus::failed: return "Failed";
    case CheckStatus::crashed: return "Crashed";
    case CheckStatus::timed_out: return "Timed out";
    case CheckStatus::not_run: break;
  }
  return "Could not be judged";
}

// Nothing is known of it but how it ended.
std::string bare_sentence(const ScoredCheck& check) {
  const CheckResult& result = check.result;
  std::string text = first_word(result.status);
  if (result.status == CheckStatus::passed && result.cases > 0) {
    text += ": " + counted(static_cast<std::size_t>(result.cases), "case");
  }
  return text + ".";
}

// "  Lesson: …" and all before it; the headline of id and points is what the platform shows itself.
Lines failure_lines(const ScoredCheck& check) {
  Failure failure = failure_of(check, {});
  failure.replay.clear();
  Lines lines = failure_block(failure, Paint(false));
  lines.erase(lines.begin());
  return lines;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \n") == std::string_view::npos;
}

}  // namespace

std::vector<ExportedObjective> by_objective(const Scorecard& scorecard) {
  std::vector<ExportedObjective> all;
  for (const ObjectiveScore& objective : scorecard.objectives) {
    all.push_back({objective.id, objective.title, objective.points, objective.max_points, {}});
  }
  for (const ScoredCheck& check : scorecard.checks) {
    auto found = std::ranges::find(all, check.objective, &ExportedObjective::id);
    if (found == all.end()) {
      found = all.insert(all.end(), {check.objective, check.objective, 0, 0, {}});
    }
    found->checks.push_back(&check);
  }
  return all;
}

std::string check_sentence(const ScoredCheck& check, const Scorecard& scorecard) {
  if (!has_findings(scorecard)) {
    return exported_line("Not judged: " + problem_headline(scorecard));
  }
  std::string sentence;
  if (check.result.status == CheckStatus::not_run) sentence = why_not_judged(check);
  if (did_fail(check)) sentence = check.result.message;
  return exported_line(is_blank(sentence) ? bare_sentence(check) : sentence);
}

std::string check_text(const ScoredCheck& check, const Scorecard& scorecard) {
  std::string text;
  if (has_findings(scorecard) && did_fail(check)) {
    text = joined(failure_lines(check));
  }
  if (is_blank(text)) text = check_sentence(check, scorecard) + "\n";
  return plain_text(text, kExportedText);
}

std::string problem_text(const Scorecard& scorecard) {
  std::string text = joined(problem_sentences(scorecard));
  if (scorecard.status == ScorecardStatus::not_built) text += scorecard.build.diagnostics;
  return plain_text(text, kExportedText);
}

std::vector<std::string> problem_sentences(const Scorecard& scorecard) {
  if (scorecard.status == ScorecardStatus::graded) return {};
  Lines sentences;
  for (const std::string& sentence :
       {problem_headline(scorecard), scorecard.error, scorecard.error_hint, scorecard.build.hint}) {
    if (!is_blank(sentence)) sentences.push_back(exported_line(sentence));
  }
  if (sentences.empty()) sentences.emplace_back("The submission could not be checked.");
  return sentences;
}

std::string findings_text(const Scorecard& scorecard) {
  if (!scorecard.is_unfinished) return "";
  std::string details;
  Lines failed;
  Lines passed;
  Lines not_judged;
  Lines not_run;
  for (const ScoredCheck& check : scorecard.checks) {
    const std::string id = exported_line(check.result.id);
    if (did_fail(check)) {
      failed.push_back(id);
      details +=
          "\n✗ " + id + "   " + exported_line(check.title) + "\n" + check_text(check, scorecard);
    } else if (check.result.status == CheckStatus::passed) {
      passed.push_back(id);
    } else {
      (was_run(check.result) ? not_judged : not_run).push_back(id);
    }
  }
  std::string text = "\n";
  const auto add = [&](const std::string& what, const Lines& ids) {
    if (ids.empty()) return;
    std::string line = what;
    for (std::size_t index = 0; index < ids.size(); ++index) {
      line += (index > 0 ? ", " : " ") + ids[index];
    }
    text += joined(wrapped(line, 0));
  };
  // What may be cut comes last.
  add("Failed:", failed);
  add("Passed:", passed);
  add("Could not be judged:", not_judged);
  add("Not run:", not_run);
  return plain_text(text + details, kExportedText);
}

std::string summary_text(const Scorecard& scorecard) {
  std::string text;
  if (has_score(scorecard)) {
    text = points_text(scorecard.score, scorecard.max_score) + " points\n";
  }
  if (const std::string problem = problem_text(scorecard); !problem.empty()) {
    text += "\n" + problem;
  }
  text += findings_text(scorecard);
  if (!scorecard.diagnosis.empty()) {
    text += joined(diagnosis_block(scorecard.diagnosis, Paint(false)));
  }
  Lines notes;
  for (const std::string& notice : scorecard.notices) append(notes, wrapped(notice, 0));
  append(notes, wrapped(hidden_sentence(scorecard), 0));
  if (!notes.empty()) text += "\n" + joined(notes);
  std::string how;
  for (const std::string& part : how_graded(scorecard)) how += (how.empty() ? "" : " · ") + part;
  if (!how.empty()) text += "\n" + how + "\n";
  return plain_text(text, kExportedText);
}

double finite(double number, const std::string& what) {
  if (std::isfinite(number)) return number;
  throw UsageFault("The scorecard cannot be exported: " + what + " are no number.",
                   "Grade the submission again to get a new scorecard.");
}

double points_of(const ScoredCheck& check) {
  return finite(check.points, "the points of " + exported_line(check.result.id));
}

double max_points_of(const ScoredCheck& check) {
  return finite(check.max_points, "the most points of " + exported_line(check.result.id));
}

std::string exported_line(std::string_view text) { return plain_line(text, kLineLimit); }

}  // namespace grader
