#include "grader/lms/formats/csv.hpp"

#include "grader/class_report/class_csv.hpp"

namespace grader {

Exported csv_export(const ExportedClass& graded, const ExportOptions& /*options*/) {
  return {{{"class.csv", class_csv(graded.results)}}, {}, {}};
}

}  // namespace grader
