#include "grader/scorecard/redaction.hpp"

#include <algorithm>
#include <utility>

namespace grader {
namespace {

void hide_counterexamples(ScoredCheck& check) {
  check.result.minimal.reset();
  check.result.original.reset();
  check.result.calls.clear();
  check.replay.clear();
}

void hide_findings(ScoredCheck& check) {
  CheckResult& result = check.result;
  result.message.clear();
  result.coverage.clear();
  result.coverage_missed.clear();
  result.accepted_wrongly.clear();
  result.refused_wrongly.clear();
  if (result.fault) result.fault = Fault{std::move(result.fault->kind), "", "", "", 0, ""};
  check.hint.clear();
  check.lesson.clear();
}

}  // namespace

Scorecard redacted(Scorecard scorecard, HintLevel most_told) {
  const HintLevel level = std::min(scorecard.hint_level, most_told);
  scorecard.hint_level = level;
  if (level == HintLevel::full) return scorecard;
  scorecard.printed.clear();
  for (ScoredCheck& check : scorecard.checks) {
    hide_counterexamples(check);
    if (level == HintLevel::score_only) hide_findings(check);
  }
  if (level == HintLevel::score_only) {
    scorecard.seed = 0;
    scorecard.diagnosis.clear();
    scorecard.figures.clear();
  }
  return scorecard;
}

}  // namespace grader
