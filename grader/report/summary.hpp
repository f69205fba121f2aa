// Sentences about a whole scorecard, the same in every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// "attention.cpp" for one file, else the submission's id.
[[nodiscard]] std::string submission_name(const Scorecard& scorecard);

/// False when the machine or the grader failed, which costs no mark.
[[nodiscard]] bool has_score(const Scorecard& scorecard);

/// True when its checks say something of the submission: they ended, or some of them did.
[[nodiscard]] bool has_findings(const Scorecard& scorecard);

/// "7 / 12"
[[nodiscard]] std::string points_text(double points, double max_points);

/// What kept the submission from being checked, in one sentence; empty when it was.
[[nodiscard]] std::string problem_headline(const Scorecard& scorecard);

/// What the compiler said from its first error on, at most `most_lines` lines of `width` columns.
[[nodiscard]] std::vector<std::string> shown_diagnostics(const Scorecard& scorecard,
                                                         std::size_t most_lines, std::size_t width);

/// "19 checks passed: up to 500 cases each, …", or empty when none did.
[[nodiscard]] std::string passed_sentence(const Scorecard& scorecard);

/// "isolation L4", "g++ 12.2.0, Eigen 3.4.0", "1.1 s": how it was graded.
[[nodiscard]] std::vector<std::string> how_graded(const Scorecard& scorecard);

/// The lines of `text`.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// What is shown to students of an assignment that hides its inputs; empty when it hides nothing or
/// nothing was lost.
[[nodiscard]] std::string hidden_sentence(const Scorecard& scorecard);

}  // namespace grader
