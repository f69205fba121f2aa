// A scorecard in the formats that people and programs read.
#pragma once

#include <string>

#include "grader/cli/commands.hpp"
#include "grader/report/text.hpp"

namespace grader::cli {

std::string rendered(const Scorecard& scorecard, Format format, const TextOptions& options);

}  // namespace grader::cli
