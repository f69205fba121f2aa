// Scores for what talks to an LTI 1.3 platform by itself.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// A JSON array of the score objects of lti_scores(), each as it is to be posted.
Exported lti_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
