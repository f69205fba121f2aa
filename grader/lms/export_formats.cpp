#include <algorithm>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/lms/formats/autolab.hpp"
#include "grader/lms/formats/canvas.hpp"
#include "grader/lms/formats/csv.hpp"
#include "grader/lms/formats/feedback.hpp"
#include "grader/lms/formats/github_classroom.hpp"
#include "grader/lms/formats/gradescope.hpp"
#include "grader/lms/formats/junit.hpp"
#include "grader/lms/formats/lti.hpp"
#include "grader/lms/formats/moodle.hpp"
#include "grader/lms/formats/moodle_gradebook.hpp"
#include "grader/lms/formats/observations.hpp"
#include "grader/lms/formats/prairielearn.hpp"

namespace grader {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> all = {
      {"autolab",
       "an Autolab autograder's last lines",
       "autoresult.txt",
       autolab_export,
       {.column = true}},
      {"canvas",
       "Canvas: the gradebook it exported (--worksheet), filled in",
       "canvas.csv",
       canvas_export,
       {.column = true, .worksheet = true}},
      {"canvas-feedback", "Canvas: the students' reports as its download of submissions",
       "submissions.zip", canvas_feedback_export},
      {"csv", "spreadsheets: a row a student", "class.csv", csv_export},
      {"folders", "every student's report and scorecard, to be handed out", "report.html",
       folders_export},
      {"github-classroom", "GitHub Classroom's reporter: lines for $GITHUB_ENV", "classroom.env",
       github_classroom_export},
      {"gradescope",
       "a Gradescope autograder",
       "results.json",
       gradescope_export,
       {.visibility = true}},
      {"junit", "Artemis, build servers, editors: JUnit XML", "results.xml", junit_export},
      {"lti", "LTI 1.3 platforms: a score object a student", "scores.json", lti_export},
      {"moodle",
       "Moodle: the grading worksheet it exported (--worksheet), filled in",
       "moodle.csv",
       moodle_export,
       {.column = true, .worksheet = true}},
      {"moodle-feedback", "Moodle: the students' reports as feedback files in a zip",
       "moodle-feedback.zip", moodle_feedback_export},
      {"moodle-gradebook",
       "Moodle: a table for the gradebook's import",
       "moodle-gradebook.csv",
       moodle_gradebook_export,
       {.column = true}},
      {"observations", "Tyche, as Hypothesis writes it: JSON lines", "observations.jsonl",
       observations_export},
      {"prairielearn", "a PrairieLearn external grader", "results.json", prairielearn_export},
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
