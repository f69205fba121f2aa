// Proves the sandbox by trying to get out of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

struct EscapeAttempt {
  std::string name;  ///< "open an internet socket"
  bool succeeded = false;
  std::string stopped_by;  ///< "system call socket", "refused", "SIGSEGV"; empty when it succeeded
};

/// Runs every probe in the sandbox that submissions get, each in a fresh process. Takes some tens
/// of milliseconds. Throws EnvironmentFault when there is no sandbox or the probes are not
/// installed.
std::vector<EscapeAttempt> try_escapes();

/// The shared object with the probes.
std::filesystem::path escape_probes_file();

}  // namespace grader
