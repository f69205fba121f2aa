// What this machine offers for grading and what it lacks, as facts for `attention-grader doctor`.
// The escapes that the doctor tries as well are in host/escapes.hpp.
#pragma once

#include <string>
#include <vector>

#include "grader/sandbox/isolation.hpp"

namespace grader {

/// One fact about the machine.
struct MachineFact {
  enum class State : std::uint8_t {
    present,
    missing_needed,   ///< grading does not work without it
    missing_helpful,  ///< grading works, but slower or less isolated
  };
  std::string name;  ///< "compiler g++", "control group"
  State state = State::present;
  std::string detail;  ///< version, or what was found instead
  std::string remedy;  ///< what to do when it is missing, one sentence
};

struct MachineReport {
  std::vector<MachineFact> facts;
  Isolation isolation;
  /// Submissions can be built and run here, isolated.
  [[nodiscard]] bool can_grade() const;
};

/// Examines the machine by trying things; takes less than a second and changes nothing.
MachineReport examine_machine();

}  // namespace grader
