// Ctrl-C and its like: the program cleans up and ends as it would have.
#pragma once

namespace grader::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove the temporary directories before they end the
/// program. Boxes end with it in any case. Call it before any other thread is made.
void clean_up_when_interrupted();

}  // namespace grader::cli
