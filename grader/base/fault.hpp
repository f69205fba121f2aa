// Faults that are not the student's. They travel as exceptions to main() and become an error with
// a hint and an exit code of their own; they never cost a mark.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace grader {

/// The machine cannot do what is asked: missing compiler, full disk, refused namespace.
class EnvironmentFault : public std::runtime_error {
 public:
  /// `what`: what failed and where, one sentence. `hint`: what to do next, one sentence.
  EnvironmentFault(const std::string& what, std::string hint)
      : std::runtime_error(what), hint_(std::move(hint)) {}
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// The user asked for something that makes no sense: unknown check, missing path, broken
/// assignment.json. Exit code 1.
class UsageFault : public std::runtime_error {
 public:
  UsageFault(const std::string& what, std::string hint)
      : std::runtime_error(what), hint_(std::move(hint)) {}
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// A broken promise inside the grader itself. Exit code 3, status internal_error.
class InternalFault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace grader
