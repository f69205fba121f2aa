// From the arguments of main() to a command. This and the sources of options alone know CLI11.
#pragma once

#include <optional>
#include <string>

#include "grader/cli/commands.hpp"

namespace grader::cli {

struct Parsed {
  std::optional<Command> command;
  std::string help;  ///< text for stdout when --help or --version was asked for
};

/// Throws UsageFault for what it does not understand.
Parsed parse_command_line(int count, const char* const* arguments);

}  // namespace grader::cli
