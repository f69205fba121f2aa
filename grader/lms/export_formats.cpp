#include <algorithm>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/lms/formats/csv.hpp"
#include "grader/lms/formats/junit.hpp"

namespace grader {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> all = {
      {"csv", "spreadsheets: a row a student", "class.csv", csv_export},
      {"junit", "Artemis, build servers, editors: JUnit XML", "results.xml", junit_export},
  };
  return all;
}

const ExportFormat& export_format(std::string_view name) {
  const std::vector<ExportFormat>& all = export_formats();
  const auto found = std::ranges::find(all, name, &ExportFormat::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const ExportFormat& format : all) names.emplace_back(format.name);
  throw UsageFault(
      "There is no export format " + std::string(name) + ".",
      suggestion(std::string(name), names) + "`attention-grader export --help` lists them.");
}

}  // namespace grader
