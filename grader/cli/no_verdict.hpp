// A scorecard that holds no verdict, because the machine or the grader failed.
#pragma once

#include <optional>

#include "grader/cli/exit_code.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader::cli {

/// Says on stderr why nothing was judged, and gives the exit code; nothing where there is a
/// verdict.
std::optional<ExitCode> complain_without_verdict(const Scorecard& scorecard);

}  // namespace grader::cli
