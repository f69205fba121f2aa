// Ctrl-C and its like: the program cleans up and ends as it would have.
#pragma once

#include "grader/sandbox/descriptor.hpp"

namespace grader::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove the temporary directories before they end the
/// program. Boxes end with it in any case. Call it before any other thread is made.
void clean_up_when_interrupted();

/// While there is one, the first of these signals ends nothing: it makes descriptor() readable, so
/// that a command can stop in order. A second one ends the program as always.
class NotedInterruption {
 public:
  /// Throws EnvironmentFault.
  NotedInterruption();
  ~NotedInterruption();
  NotedInterruption(const NotedInterruption&) = delete;
  NotedInterruption& operator=(const NotedInterruption&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  /// Ends the program by the signal that came.
  [[noreturn]] static void end_program();

 private:
  Descriptor descriptor_;
};

}  // namespace grader::cli
