// What the program's exit code means.
#pragma once

namespace grader::cli {

enum ExitCode : int {
  kDone = 0,         ///< whatever the score
  kUsage = 1,        ///< the question made no sense
  kEnvironment = 2,  ///< this machine cannot do it
  kInternal = 3,     ///< a bug of the grader
  kNotAccepted = 4,  ///< with --strict: refused or not built; verify: a signature does not hold
  kBelow = 5,        ///< below --fail-under
  kPartly = 6,       ///< exported, signed or delivered, but not all
};

}  // namespace grader::cli
