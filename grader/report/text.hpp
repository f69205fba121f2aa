// The report that a person reads in a terminal.
#pragma once

#include <string>

#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

struct TextOptions {
  bool color = false;
  CommandOptions commands;
  /// What was written beside the scorecard, named in the last line.
  std::string page = {};
};

/// The whole report: score by objective, one block for each failure (checks that fail alike share
/// one), what could not be judged, how it was graded. About ten lines when everything passes.
std::string text_report(const Scorecard& scorecard, const TextOptions& options);

/// The block of one check alone, as `replay` shows it.
std::string check_report(const ScoredCheck& check, const TextOptions& options);

}  // namespace grader
