// What exports of one scorecard have in common: its checks by objective, what is told of each in
// words, and numbers that every reader of JSON takes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// The longest text that an export holds of one check, in bytes.
inline constexpr std::size_t kExportedText = 32 << 10;

/// An objective with its checks, in the order of the scorecard.
struct ExportedObjective {
  std::string id;
  std::string title;
  double points = 0;
  double max_points = 0;
  std::vector<const ScoredCheck*> checks;
};

/// All checks, each once. Checks of an objective that the scorecard does not list come last, under
/// that objective's id. Points into `scorecard`.
[[nodiscard]] std::vector<ExportedObjective> by_objective(const Scorecard& scorecard);

/// What became of a check, on one line: "Row 0 of the weights sums to 0.5 instead of 1."
[[nodiscard]] std::string check_sentence(const ScoredCheck& check, const Scorecard& scorecard);

/// All that is told of a check: its sentence, the smallest input, what came back beside what was
/// expected, lesson and hint. Without the command that replays it: where an export is read, there
/// is no scorecard to replay.
[[nodiscard]] std::string check_text(const ScoredCheck& check, const Scorecard& scorecard);

/// What kept the submission from being checked: headline, sentences, diagnostics, hint. Empty for a
/// graded one.
[[nodiscard]] std::string problem_text(const Scorecard& scorecard);

/// The same without diagnostics, one sentence each, on one line each; at least
/// one for a submission that was not graded.
[[nodiscard]] std::vector<std::string> problem_sentences(const Scorecard& scorecard);

/// What the checks of a grading that did not end have found until then, one after the other, and
/// which of them did not run; empty for every other scorecard.
[[nodiscard]] std::string findings_text(const Scorecard& scorecard);

/// The whole in a few lines: points, the mistakes that were recognised, notices, how it was graded;
/// for a grading that did not end, its findings too.
[[nodiscard]] std::string summary_text(const Scorecard& scorecard);

/// `number` itself. Throws UsageFault for NaN and infinities, which no JSON holds; `what` says what
/// it is, "the points of softmax.row_sums".
[[nodiscard]] double finite(double number, const std::string& what);

/// The points and the most points of a check, both finite.
[[nodiscard]] double points_of(const ScoredCheck& check);
[[nodiscard]] double max_points_of(const ScoredCheck& check);

/// `text` as one line of plain text, as names and ids are exported.
[[nodiscard]] std::string exported_line(std::string_view text);

}  // namespace grader
