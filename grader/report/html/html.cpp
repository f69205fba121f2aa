#include "grader/report/html/html.hpp"

#include <algorithm>

#include "grader/report/diagnosis_block.hpp"
#include "grader/report/html/data.hpp"
#include "grader/report/html/document.hpp"
#include "grader/report/html/embedded.hpp"
#include "grader/report/html/failure_card.hpp"
#include "grader/report/html/figure_card.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

using html::Data;
using html::list;
using html::object;
using html::text_or_nothing;

void add_head(Data& page, const Scorecard& scorecard) {
  const bool scored = has_score(scorecard);
  const bool has_all = scored && scorecard.score == scorecard.max_score;
  page.set("name", submission_name(scorecard));
  page.set("assignment", scorecard.assignment_title);
  page.set("has_score", scored);
  page.set("score", number_text(scorecard.score));
  page.set("max_score", number_text(scorecard.max_score));
  page.set("score_class", has_all ? " all" : "");
  page.set("score_text",
           scored ? points_text(scorecard.score, scorecard.max_score) : std::string("no score"));
}

void add_problem(Data& page, const Scorecard& scorecard) {
  const std::string headline = problem_headline(scorecard);
  if (headline.empty()) {
    page.set("problem", false);
    return;
  }
  Data texts = list();
  for (const std::string& text : {scorecard.error, scorecard.error_hint}) {
    if (!text.empty()) texts << Data{text};
  }
  constexpr std::size_t kMostLines = 60;
  constexpr std::size_t kWidth = 240;
  std::string diagnostics;
  for (const std::string& line : shown_diagnostics(scorecard, kMostLines, kWidth)) {
    diagnostics += line + "\n";
  }
  page.set("problem", object({{"headline", headline},
                              {"texts", texts},
                              {"diagnostics", text_or_nothing(diagnostics)},
                              {"hint", text_or_nothing(scorecard.build.hint)}}));
}

void add_objectives(Data& page, const Scorecard& scorecard) {
  Data objectives = list();
  for (const ObjectiveScore& objective : scorecard.objectives) {
    Data lost = list();
    for (const ScoredCheck& check : scorecard.checks) {
      if (check.objective != objective.id || check.result.status == CheckStatus::passed) continue;
      lost << object({{"id", check.result.id}, {"anchor", html::anchor_of(check.result.id)}});
    }
    const double share = objective.max_points > 0 ? objective.points / objective.max_points : 0;
    objectives << object({{"title", objective.title},
                          {"points", number_text(objective.points)},
                          {"max_points", number_text(objective.max_points)},
                          {"percent", number_text(100 * std::clamp(share, 0.0, 1.0), 4)},
                          {"lost", lost}});
  }
  page.set("objectives", objectives);
  page.set("has_objectives",
           scorecard.status == ScorecardStatus::graded && objectives.is_non_empty_list());
}

void add_checks(Data& page, const Scorecard& scorecard, const CommandOptions& commands) {
  Data failures = list();
  Data not_judged = list();
  Data passed = list();
  if (scorecard.status == ScorecardStatus::graded) {
    for (const Failure& failure : failures_of(scorecard.checks, commands)) {
      failures << html::failure_card(failure);
    }
    for (const ScoredCheck& check : scorecard.checks) {
      const bool is_open = check.result.status == CheckStatus::not_run;
      if (!is_open && check.result.status != CheckStatus::passed) continue;
      (is_open ? not_judged : passed)
          << object({{"id", check.result.id},
                     {"anchor", html::anchor_of(check.result.id)},
                     {"title", check.title},
                     {"points", number_text(check.points)},
                     {"max_points", number_text(check.max_points)},
                     {"why", is_open ? why_not_judged(check) : std::string()}});
    }
  }
  page.set("has_failures", failures.is_non_empty_list());
  page.set("has_not_judged", not_judged.is_non_empty_list());
  page.set("has_passed", passed.is_non_empty_list());
  page.set("passed_summary", passed_sentence(scorecard));
  page.set("passed_count", counted(passed.list_value().size(), "check"));
  page.set("failures", failures);
  page.set("not_judged", not_judged);
  page.set("passed", passed);
}

void add_diagnoses(Data& page, const Scorecard& scorecard) {
  Data diagnoses = list();
  for (const Diagnosis& diagnosis : scorecard.diagnosis) {
    diagnoses << object({{"title", diagnosis_title(diagnosis)},
                         {"ids", text_or_nothing(diagnosis_ids(diagnosis))},
                         {"text", diagnosis_text(diagnosis)}});
  }
  page.set("has_diagnoses", diagnoses.is_non_empty_list());
  page.set("diagnoses", diagnoses);
}

void add_figures(Data& page, const Scorecard& scorecard) {
  Data figures = list();
  for (const Figure& figure : scorecard.figures) figures << html::figure_card(figure);
  page.set("has_figures", figures.is_non_empty_list());
  page.set("figures", figures);
}

void add_rest(Data& page, const Scorecard& scorecard) {
  Data notices = list();
  for (const std::string& notice : scorecard.notices) notices << Data{notice};
  if (const std::string hidden = hidden_sentence(scorecard); !hidden.empty()) {
    notices << Data{hidden};
  }
  page.set("has_notices", notices.is_non_empty_list());
  page.set("notices", notices);
  const std::size_t printed = lines_of(scorecard.printed).size();
  page.set("printed", printed == 0
                          ? Data{false}
                          : object({{"title", "Your code printed " + counted(printed, "line")},
                                    {"text", scorecard.printed}}));
  std::string how;
  for (const std::string& part : how_graded(scorecard)) how += (how.empty() ? "" : " · ") + part;
  if (scorecard.hint_level != HintLevel::score_only) {
    how += (how.empty() ? "" : " · ") + std::string("seed ") + std::to_string(scorecard.seed);
  }
  page.set("how", how);
}

}  // namespace

std::string html_report(const Scorecard& scorecard, const CommandOptions& commands) {
  Data page = object({});
  page.set("matrix",
           Data{kainjow::mustache::partial{[] { return std::string(html::kMatrixTemplate); }}});
  add_head(page, scorecard);
  add_problem(page, scorecard);
  add_objectives(page, scorecard);
  add_checks(page, scorecard, commands);
  add_diagnoses(page, scorecard);
  add_figures(page, scorecard);
  add_rest(page, scorecard);
  return html::document(html::kTemplate, page, html::kStyle, html::kScript);
}

}  // namespace grader
