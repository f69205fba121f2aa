// JUnit's XML for Artemis and build servers.
#pragma once

#include <string>

#include "grader/lms/export_format.hpp"

namespace grader {

/// junit_report() as an export.
std::string junit_export(const Scorecard& scorecard, const ExportOptions& options);

}  // namespace grader
