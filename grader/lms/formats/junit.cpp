#include "grader/lms/formats/junit.hpp"

#include "grader/report/formats/junit.hpp"

namespace grader {

std::string junit_export(const Scorecard& scorecard, const ExportOptions& options) {
  return junit_report(scorecard, options.commands);
}

}  // namespace grader
