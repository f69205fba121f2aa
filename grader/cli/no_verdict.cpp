#include "grader/cli/no_verdict.hpp"

#include "grader/cli/commands.hpp"

namespace grader::cli {

std::optional<ExitCode> complain_without_verdict(const Scorecard& scorecard) {
  switch (scorecard.status) {
    case ScorecardStatus::environment_error:
      complain(scorecard.error, scorecard.error_hint);
      return kEnvironment;
    case ScorecardStatus::internal_error:
      complain("A bug of the grader: " + scorecard.error, scorecard.error_hint);
      return kInternal;
    case ScorecardStatus::graded:
    case ScorecardStatus::refused:
    case ScorecardStatus::not_built: break;
  }
  return std::nullopt;
}

}  // namespace grader::cli
