// What each command takes, told to CLI11.
#pragma once

#include "grader/cli/commands.hpp"

namespace CLI {
class App;
}

namespace grader::cli {

void add_options(CLI::App& app, GradeCommand& command);
void add_options(CLI::App& app, BatchCommand& command);
void add_options(CLI::App& app, GradeTaskCommand& command);
void add_options(CLI::App& app, UngradedCommand& command);
void add_options(CLI::App& app, OverrideCommand& command);
void add_options(CLI::App& app, CompareCommand& command);
void add_options(CLI::App& app, ReplayCommand& command);
void add_options(CLI::App& app, ReportCommand& command);
void add_options(CLI::App& app, ExportCommand& command);
void add_options(CLI::App& app, PushCommand& command);
void add_options(CLI::App& app, KeygenCommand& command);
void add_options(CLI::App& app, SignCommand& command);
void add_options(CLI::App& app, VerifyCommand& command);
void add_options(CLI::App& app, ListCommand& command);
void add_options(CLI::App& app, ValidateCommand& command);
void add_options(CLI::App& app, LearnCommand& command);
void add_options(CLI::App& app, DoctorCommand& command);
void add_options(CLI::App& app, SelftestCommand& command);

}  // namespace grader::cli
