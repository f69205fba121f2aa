// Proves that a compiler in its box sees no file outside: it is asked for one that exists and for
// one that does not, and must not tell the difference.
#pragma once

#include <string>
#include <vector>

namespace grader {

struct FileEscape {
  std::string name;  ///< "include a file outside"
  bool succeeded = false;
};

/// Runs the compiler some times on small files, as it is run on submissions. Takes about half a
/// second. Throws EnvironmentFault when there is no compiler or no box.
std::vector<FileEscape> try_file_escapes();

}  // namespace grader
